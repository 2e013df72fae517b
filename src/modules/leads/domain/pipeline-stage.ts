import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { type FieldProblem, ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceId } from '../../../kernel/ids';
import { withRevision } from '../../../kernel/precondition';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import {
  builtInOutcome,
  DEFAULT_AUTOMATIONS,
  isBuiltIn,
  type Outcome,
  type Stage,
  STAGE_ROLES,
  type StageKey,
  type StageRole,
  STAGES,
} from './stage';

/** The fields that a stage can require. */
export const REQUIRABLE_FIELDS = [
  'name',
  'email',
  'phone',
  'eventDate',
  'guests',
  'source',
  'tags',
  'ownerId',
  'lostReasonId',
  'lostNote',
] as const;

const OF_LOST_STAGES = ['lostReasonId', 'lostNote'] as const;

export interface StageFields {
  name: string;
  outcome: Outcome;
  /** The stages that a lead may come from; null for any. */
  allowedFrom: StageKey[] | null;
  /** Fields of a lead that must have a value when it enters. */
  requiredFields: string[];
  /** How long a lead should stay at most; null for any time. Nothing is enforced. */
  maxDays: number | null;
  /** Hidden stages are not offered on pages. */
  isHidden: boolean;
}

export type NewStage = { key: string } & Pick<StageFields, 'name'> & Partial<StageFields>;

/** A stage as the API and events contain it. */
export interface StageView extends StageFields {
  key: StageKey;
  position: number;
  archivedAt: Date | null;
  /** The leads at the stage, archived ones included. */
  leads: number;
  /** Set while the leads of an archived stage are moved: where to, and how many are left. */
  moving: { to: StageKey; left: number } | null;
}

/** A stage of a workspace's pipeline. */
export class PipelineStage implements StageFields {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly key!: StageKey;
  name!: string;
  outcome!: Outcome;
  position!: number;
  allowedFrom!: StageKey[] | null;
  requiredFields!: string[];
  maxDays!: number | null;
  isHidden!: boolean;
  /** The facts that lead here. */
  roles!: StageRole[];
  archivedAt!: Date | null;
  /** The stage to which the leads of this archived stage are being moved. */
  moveTo!: StageKey | null;
  revision!: number;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  /** @throws ValidationFailed for required fields that go with another outcome */
  static open({ workspaceId, mode }: WorkspaceRef, fields: NewStage, position: number): PipelineStage {
    const stage = new PipelineStage({
      workspaceId,
      mode,
      outcome: 'open',
      allowedFrom: null,
      requiredFields: [],
      maxDays: null,
      isHidden: false,
      ...fields,
      position,
      roles: [],
      archivedAt: null,
      moveTo: null,
      revision: 1,
    });
    refuseContradiction(stage);
    return stage;
  }

  /** The stages of a workspace that has changed none. */
  static builtIn(ref: WorkspaceRef): PipelineStage[] {
    return STAGES.map((key, index) => {
      const stage = PipelineStage.open(
        ref,
        { key, name: titleOf(key), outcome: builtInOutcome(key) },
        index + 1,
      );
      stage.roles = STAGE_ROLES.filter((role) => DEFAULT_AUTOMATIONS[role] === key);
      return stage;
    });
  }

  get isBuiltIn(): boolean {
    return isBuiltIn(this.key);
  }

  /** @throws ValidationFailed for an archived stage, which no lead enters */
  requireActive(): void {
    if (!this.archivedAt) return;
    throw new ValidationFailed({
      field: 'stage',
      message: `can’t be ${this.key}, which is archived; restore that stage first, or choose another one`,
    });
  }

  /**
   * Checks the rules for a lead that enters by a request.
   *
   * @param from the stage that it comes from; undefined for a new lead
   * @param lead its fields as they are to be
   * @throws ValidationFailed if the stage doesn't admit the lead
   */
  admit(from: StageKey | undefined, lead: object): void {
    if (from !== undefined && this.allowedFrom && !this.allowedFrom.includes(from)) {
      const allowed = this.allowedFrom.length ? this.allowedFrom.join(', ') : 'no other stage';
      throw new ValidationFailed({
        field: 'stage',
        message: `can’t be ${this.key} after ${from}: leads may enter it from ${allowed}`,
      });
    }
    const [first, ...more] = this.requiredFields
      .filter((name) => isEmpty((lead as Record<string, unknown>)[name]))
      .map((field): FieldProblem => ({ field, message: `is required at the stage ${this.key}` }));
    if (first) throw new ValidationFailed(first, ...more);
  }

  /** Of these fields, the former values of those that got another value; undefined if none did. */
  change(changes: Partial<StageFields>): Partial<StageFields> | undefined {
    const different = Object.entries(changes).filter(
      ([name, value]) =>
        (value as unknown) !== undefined &&
        JSON.stringify(value) !== JSON.stringify(this[name as keyof StageFields] as unknown),
    );
    if (different.length === 0) return undefined;
    this.refuseRules(Object.fromEntries(different));
    refuseContradiction({ ...this, ...Object.fromEntries(different) });
    const previous = Object.fromEntries(different.map(([name]) => [name, this[name as keyof StageFields]]));
    Object.assign(this, Object.fromEntries(different));
    this.touch();
    return previous;
  }

  touch(): void {
    this.revision++;
  }

  /** All leads of the archived stage have been moved. */
  endMove(now: Date): DomainEvent[] {
    const { moving } = this.view(0);
    this.moveTo = null;
    this.touch();
    const { workspaceId, mode } = this;
    return [
      domainEvent({
        type: 'stage.updated',
        workspace: { workspaceId, mode },
        timestamp: now,
        data: this.view(0),
        previous: { moving },
      }),
    ];
  }

  /** @param leads the leads at the stage */
  view(leads: number): StageView {
    const { key, name, outcome, position, allowedFrom, requiredFields, maxDays, isHidden } = this;
    const { archivedAt, moveTo, revision } = this;
    const moving = moveTo && { to: moveTo, left: leads };
    const view = { key, name, outcome, position, allowedFrom, requiredFields, maxDays, isHidden };
    return withRevision({ ...view, archivedAt, leads, moving }, revision);
  }

  /** Clients written from the specification move leads between the built-in stages as they like. */
  private refuseRules(changes: Partial<StageFields>): void {
    if (changes.outcome === 'lost' && this.roles.length > 0) {
      throw new ValidationFailed({
        field: 'outcome',
        message: `can’t be lost: leads move to ${this.key} by themselves; change the automations first`,
      });
    }
    if (!this.isBuiltIn) return;
    for (const field of ['outcome', 'allowedFrom', 'requiredFields'] as const) {
      if (field in changes) {
        throw new ValidationFailed({
          field,
          message: `can’t be changed for ${this.key}, which is one of the eight built-in stages; add a stage of your own`,
        });
      }
    }
  }
}

/** @throws ValidationFailed for required fields that no lead at a stage with this outcome can have */
function refuseContradiction({ outcome, requiredFields }: StageFields): void {
  if (outcome === 'lost') return;
  const field = OF_LOST_STAGES.find((name) => requiredFields.includes(name));
  if (!field) return;
  throw new ValidationFailed({
    field: 'requiredFields',
    message: `can’t contain ${field}, which only leads at a stage with the outcome lost have`,
  });
}

/** The name of a built-in stage: `New enquiry` for `new_enquiry`. */
function titleOf(key: Stage): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
