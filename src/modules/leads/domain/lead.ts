import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import { type LeadId, newId, type UserId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { withRevision } from '../../../kernel/precondition';
import { distinctTexts, foldText } from '../../../kernel/text';
import { timeOfChange } from '../../../kernel/time';
import { normalisePhone } from './phone';

export const STAGES = [
  'new_enquiry',
  'contacted',
  'visit_booked',
  'proposal_sent',
  'negotiation',
  'confirmed',
  'completed',
  'lost',
] as const;
export type Stage = (typeof STAGES)[number];

/** The stages in which nothing is left to do. */
const CLOSED: readonly Stage[] = ['confirmed', 'completed', 'lost'];

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
  stage: Stage;
  tags: string[];
  /** The member who works on it; null for nobody. */
  ownerId: UserId | null;
}

export type NewLead = Pick<LeadFields, 'email'> & Partial<LeadFields>;

/** A lead as the API and events contain it. */
export interface LeadView extends LeadFields {
  id: LeadId;
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** An enquiry about an event, from the first contact to the end. */
export class Lead implements LeadFields {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: LeadId;
  name!: string | null;
  email!: string;
  phone!: string | null;
  eventDate!: string | null;
  guests!: number | null;
  source!: string | null;
  stage!: Stage;
  tags!: string[];
  ownerId!: UserId | null;
  archivedAt!: Date | null;
  readonly createdAt!: Date;
  updatedAt!: Date;
  revision!: number;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static open(
    { workspaceId, mode }: WorkspaceRef,
    fields: NewLead,
    now: Date,
  ): { lead: Lead; events: DomainEvent[] } {
    const lead = new Lead({
      workspaceId,
      mode,
      id: newId('lead'),
      name: null,
      phone: null,
      eventDate: null,
      guests: null,
      source: null,
      stage: 'new_enquiry',
      tags: [],
      ownerId: null,
      ...Lead.normalised(fields),
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    });
    const created = lead.event('lead.created');
    return {
      lead,
      events: lead.ownerId ? [created, lead.event('lead.assigned', { ownerId: null })] : [created],
    };
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
    const entries = Object.entries(Lead.normalised(fields)) as [keyof LeadFields, unknown][];
    return Object.fromEntries(entries.filter(([name, value]) => !isSame(this[name], value)));
  }

  /** Returns what happened: nothing when every value was there already. A change of stage or owner is told twice, by its own event too. */
  update(fields: Partial<LeadFields>, now: Date): DomainEvent[] {
    const changes = this.changesBy(fields);
    const names = Object.keys(changes) as (keyof LeadFields)[];
    if (names.length === 0) return [];
    const previous: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, this[name]]));
    Object.assign(this, changes);
    this.touch(previous, now);
    return [
      this.event('lead.updated', previous),
      ...('stage' in previous ? [this.event('lead.stage_changed', { stage: previous.stage })] : []),
      ...('ownerId' in previous ? [this.event('lead.assigned', { ownerId: previous.ownerId })] : []),
    ];
  }

  /** Its owner leaves: if it is open it gets that one, otherwise none. Archived leads change too. */
  handOver(successor: UserId | null, now: Date): DomainEvent[] {
    const isOpen = !this.archivedAt && !CLOSED.includes(this.stage);
    const previous: Record<string, unknown> = { ownerId: this.ownerId };
    this.ownerId = isOpen ? successor : null;
    this.touch(previous, now);
    const { ownerId } = previous;
    return [this.event('lead.updated', previous), this.event('lead.assigned', { ownerId })];
  }

  /** Whether `advance` moves the lead: a lost lead is moved, an archived lead isn't. */
  isBehind(stage: Stage): boolean {
    if (this.archivedAt) return false;
    return this.stage === 'lost' || STAGES.indexOf(this.stage) < STAGES.indexOf(stage);
  }

  /** Moves the lead forward to that stage, never back. The other changes are made only if it moves. */
  advance(stage: Stage, now: Date, others: Partial<LeadFields> = {}): DomainEvent[] {
    return this.isBehind(stage) ? this.update({ ...others, stage }, now) : [];
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

  /** The text that searches match, one value on each line. A word of a query doesn't match across lines. */
  get searchText(): string {
    return foldText([this.name, this.email, this.phone, ...this.tags].filter(Boolean).join('\n'));
  }

  view(): LeadView {
    const {
      id,
      name,
      email,
      phone,
      eventDate,
      guests,
      source,
      stage,
      tags,
      ownerId,
      archivedAt,
      createdAt,
      updatedAt,
      revision,
    } = this;
    const view = {
      id,
      name,
      email,
      phone,
      eventDate,
      guests,
      source,
      stage,
      tags,
      ownerId,
      archivedAt,
      createdAt,
      updatedAt,
    };
    return withRevision(view, revision);
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
