import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import { type LeadId, type LostReasonId, newId, type UserId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { withRevision } from '../../../kernel/precondition';
import { distinctTexts } from '../../../kernel/text';
import { timeOfChange } from '../../../kernel/time';
import { CustomFields, type CustomValues, type StoredValues, valuesAt } from './custom-fields';
import { normalisePhone } from './phone';
import { refuseLostFields } from './lost-reason';
import { Pipeline } from './pipeline';
import type { PipelineStage } from './pipeline-stage';
import { searchTextOf } from './search-text';
import { type Outcome, outcomeAt, type StageKey } from './stage';

export const MAX_TAGS = 50;

/** The fields that clients write. */
export interface LeadFields {
  name: string | null;
  email: string;
  phone: string | null;
  /** YYYY-MM-DD. */
  eventDate: string | null;
  guests: number | null;
  source: string | null;
  /** Its id in another system, unique while set. */
  externalId: string | null;
  stage: StageKey;
  tags: string[];
  /** The member who works on it; null for nobody. */
  ownerId: UserId | null;
  /** This and the note are null unless the outcome is lost. */
  lostReasonId: LostReasonId | null;
  lostNote: string | null;
  /** By the keys of the workspace's fields. A change names only those that it changes. */
  custom: CustomValues;
}

export type NewLead = Pick<LeadFields, 'email'> & Partial<LeadFields>;

/** A lead as the API and events contain it. */
export interface LeadView extends LeadFields {
  id: LeadId;
  /** Of its stage. */
  outcome: Outcome;
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const CONTACT = { name: null, phone: null, eventDate: null, guests: null, source: null, externalId: null };
const EMPTY = { ...CONTACT, ownerId: null, lostReasonId: null, lostNote: null };

/** An enquiry about an event, from the first contact to the end. */
export class Lead implements Omit<LeadFields, 'custom'> {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: LeadId;
  name!: string | null;
  email!: string;
  phone!: string | null;
  eventDate!: string | null;
  guests!: number | null;
  source!: string | null;
  externalId!: string | null;
  stage!: StageKey;
  tags!: string[];
  ownerId!: UserId | null;
  /** As it was stored: see `outcomeAt`. */
  outcome!: Outcome | null;
  lostReasonId!: LostReasonId | null;
  lostNote!: string | null;
  /** Values of archived fields included. */
  custom!: StoredValues;
  archivedAt!: Date | null;
  readonly createdAt!: Date;
  updatedAt!: Date;
  revision!: number;
  /** Undefined where the workspace has none. */
  private customFields?: CustomFields;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  /**
   * @param entered the stage, if it isn't a built-in one
   * @throws ValidationFailed for values that the custom fields don't take, among others
   */
  static open(
    { workspaceId, mode }: WorkspaceRef,
    fields: NewLead,
    now: Date,
    entered?: PipelineStage,
    customFields = CustomFields.NONE,
  ): { lead: Lead; events: DomainEvent[] } {
    const lead = new Lead({
      workspaceId,
      mode,
      id: newId('lead'),
      ...EMPTY,
      stage: 'new_enquiry',
      tags: [],
      ...Lead.normalised(fields),
      custom: customFields.forNew(fields.custom),
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    });
    lead.outcome = outcomeAt(lead.stage, entered?.outcome ?? null);
    lead.know(customFields);
    refuseLostFields(lead.outcome, lead);
    entered?.admit(undefined, lead);
    const created = lead.event('lead.created');
    const assigned = lead.ownerId ? [lead.event('lead.assigned', { ownerId: null })] : [];
    return { lead, events: [created, ...assigned] };
  }

  /** Sets the workspace's custom fields, by which the lead checks and shows its values. */
  know(customFields: CustomFields): void {
    if (customFields !== CustomFields.NONE) this.customFields = customFields;
  }

  /** The written form of fields: bare phone numbers, each tag once, and no field that was left out. */
  static normalised<Fields extends Partial<LeadFields>>(fields: Fields): Fields {
    const given = Object.fromEntries(
      Object.entries<unknown>(fields).filter(([, value]) => value !== undefined),
    ) as Fields;
    if (given.phone) given.phone = normalisePhone(given.phone) ?? given.phone;
    if (given.tags) given.tags = distinctTexts(given.tags);
    return given;
  }

  /** Of these fields, those that would get another value. */
  changesBy(fields: Partial<LeadFields>): Partial<LeadFields> {
    if (this.archivedAt) {
      throw new ValidationFailed({
        field: 'archivedAt',
        message: 'an archived lead can’t be changed; restore it first',
      });
    }
    return this.differing(fields);
  }

  /** Its owner leaves: if it is open it gets that one, otherwise none. Archived leads change too. */
  handOver(successor: UserId | null, now: Date): DomainEvent[] {
    const isOpen = !this.archivedAt && outcomeAt(this.stage, this.outcome) === 'open';
    const previous: Record<string, unknown> = { ownerId: this.ownerId };
    this.ownerId = isOpen ? successor : null;
    this.touch(previous, now);
    const { ownerId } = previous;
    return [this.event('lead.updated', previous), this.event('lead.assigned', { ownerId })];
  }

  /**
   * Returns what happened: nothing when every value was there already. A change of stage or owner is told twice, by its own event too.
   *
   * @param entered the new stage, if it isn't a built-in one
   * @throws ValidationFailed if that stage doesn't admit the lead, or if it gets a lost reason without being lost
   */
  update(fields: Partial<LeadFields>, now: Date, entered?: PipelineStage): DomainEvent[] {
    const changes = this.changesBy(fields);
    refuseLostFields(this.outcomeAfter(changes, entered), changes);
    if (changes.stage !== undefined) entered?.admit(this.stage, { ...this, ...changes });
    return this.apply(changes, now, entered);
  }

  /** Whether `advance` moves the lead: a lost lead is moved, an archived lead isn't. */
  isBehind(stage: StageKey, pipeline = new Pipeline(this, [])): boolean {
    return !this.archivedAt && pipeline.isBehind(this.stage, stage);
  }

  /** Moves the lead forward to that stage, never back. The other changes are made only if it moves. */
  advance(
    stage: StageKey,
    now: Date,
    others: Partial<LeadFields> = {},
    { pipeline, entered }: { pipeline?: Pipeline; entered?: PipelineStage } = {},
  ): DomainEvent[] {
    return this.isBehind(stage, pipeline) ? this.moveTo(stage, now, others, entered) : [];
  }

  /**
   * Moves the lead without regard to the rules of stages, an archived one too. The other changes set no lost reason, and no
   * values that custom fields don't take.
   */
  moveTo(
    stage: StageKey,
    now: Date,
    { lostReasonId: _, lostNote: __, custom = {}, ...others }: Partial<LeadFields> = {},
    entered?: PipelineStage,
  ): DomainEvent[] {
    const values = this.fields.acceptable(this.custom, custom);
    return this.apply({ ...others, custom: values, stage }, now, entered);
  }

  archive(now: Date): DomainEvent[] {
    if (this.archivedAt) return [];
    const previous = { archivedAt: null };
    this.touch(previous, now);
    this.archivedAt = this.updatedAt;
    return [this.event('lead.archived', previous)];
  }

  restore(now: Date): DomainEvent[] {
    if (!this.archivedAt) return [];
    const previous = { archivedAt: this.archivedAt };
    this.touch(previous, now);
    this.archivedAt = null;
    return [this.event('lead.restored', previous)];
  }

  get searchText(): string {
    return searchTextOf(this);
  }

  view(): LeadView {
    const view: LeadView = {
      id: this.id,
      name: this.name,
      email: this.email,
      phone: this.phone,
      eventDate: this.eventDate,
      guests: this.guests,
      source: this.source,
      externalId: this.externalId,
      stage: this.stage,
      tags: this.tags,
      ownerId: this.ownerId,
      outcome: outcomeAt(this.stage, this.outcome),
      lostReasonId: this.lostReasonId,
      lostNote: this.lostNote,
      custom: this.fields.shown(this.custom),
      archivedAt: this.archivedAt,
      createdAt: this.createdAt,
      updatedAt: this.updatedAt,
    };
    return withRevision(view, this.revision);
  }

  private get fields(): CustomFields {
    return this.customFields ?? CustomFields.NONE;
  }

  private differing({ custom, ...fields }: Partial<LeadFields>): Partial<LeadFields> {
    const entries = Object.entries(Lead.normalised(fields)) as [keyof typeof fields, unknown][];
    const values = custom && this.fields.changes(this.custom, custom);
    return {
      ...Object.fromEntries(entries.filter(([name, value]) => !isSame(this[name], value))),
      ...(values && { custom: values }),
    };
  }

  private outcomeAfter({ stage }: Partial<LeadFields>, entered?: PipelineStage): Outcome {
    return stage === undefined
      ? outcomeAt(this.stage, this.outcome)
      : outcomeAt(stage, entered?.outcome ?? null);
  }

  /** A lead that isn't lost has no lost reason and no note. */
  private apply(given: Partial<LeadFields>, now: Date, entered?: PipelineStage): DomainEvent[] {
    if (Object.keys(this.differing(given)).length === 0) return [];
    const before = this.view();
    const outcome = this.outcomeAfter(given, entered);
    const fields = outcome === 'lost' ? given : { ...given, lostReasonId: null, lostNote: null };
    const changes: Partial<LeadView> = {
      ...this.differing(fields),
      ...(outcome !== before.outcome && { outcome }),
    };
    const names = Object.keys(changes) as (keyof LeadFields)[];
    const previous: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, before[name]]));
    const custom = changes.custom ? this.fields.merged(this.custom, changes.custom) : this.custom;
    if (changes.custom) previous.custom = valuesAt(Object.keys(changes.custom), before.custom);
    Object.assign(this, changes, { outcome, custom });
    this.touch(previous, now);
    const updated = this.event('lead.updated', previous);
    const told = { stage: 'lead.stage_changed', ownerId: 'lead.assigned' };
    const also = Object.entries(told).filter(([name]) => name in previous);
    return [updated, ...also.map(([name, type]) => this.event(type, { [name]: previous[name] }))];
  }

  private touch(previous: Record<string, unknown>, now: Date): void {
    previous.updatedAt = this.updatedAt;
    this.updatedAt = timeOfChange(this.updatedAt, now);
    this.revision++;
  }

  private event(type: string, previous?: object): DomainEvent {
    const workspace = { workspaceId: this.workspaceId, mode: this.mode };
    return domainEvent({ type, workspace, timestamp: this.updatedAt, data: this.view(), previous });
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
