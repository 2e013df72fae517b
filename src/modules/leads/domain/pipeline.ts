import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { type NewStage, PipelineStage, type StageFields, type StageView } from './pipeline-stage';
import {
  type Automations,
  DEFAULT_AUTOMATIONS,
  outcomeAt,
  type Outcome,
  STAGE_ROLES,
  type StageKey,
  type StageRole,
} from './stage';

/** That aren't archived. */
export const MAX_STAGES = 30;
/** Archived ones included, since their keys stay taken. */
const MAX_EVER = 100;

const RANKS: Readonly<Record<Outcome, number>> = { open: 0, won: 1, lost: 2 };

/** The leads at each stage. Stages at which no lead has ever been are absent. */
export type LeadsAtStages = ReadonlyMap<string, number>;

/** The ordered stages of a workspace in one mode. */
export class Pipeline {
  private readonly stages: PipelineStage[];
  /** The revisions as they are stored: 0 for a stage that isn't. */
  private readonly stored: ReadonlyMap<StageKey, number>;

  /** @param rows empty for a workspace that has changed nothing, which has the built-in stages */
  constructor(
    private readonly ref: WorkspaceRef,
    rows: readonly PipelineStage[],
    private readonly leads: LeadsAtStages = new Map(),
  ) {
    this.stages = rows.length ? inOrder(rows) : PipelineStage.builtIn(ref);
    this.stored = new Map(rows.map(({ key, revision }) => [key, revision]));
  }

  /** The stages to write. A first change writes all. */
  get changed(): PipelineStage[] {
    return this.stages.filter(({ key, revision }) => revision !== this.stored.get(key));
  }

  /** In their order, archived ones last. */
  views(): StageView[] {
    return inOrder(this.stages).map((stage) => this.view(stage));
  }

  /** @throws NotFound for an unknown key */
  get(key: string): StageView {
    return this.view(this.find(key));
  }

  has(key: string): boolean {
    return this.stages.some((stage) => stage.key === key);
  }

  /** The keys in their order, without archived stages. */
  get keys(): StageKey[] {
    return this.active.map(({ key }) => key);
  }

  /** The stages with that outcome at which leads can be. */
  keysWith(outcome: Outcome): StageKey[] {
    return this.stages
      .filter((stage) => stage.outcome === outcome && (!stage.archivedAt || stage.moveTo))
      .map(({ key }) => key);
  }

  get automations(): Automations {
    const chosen = STAGE_ROLES.map((role) => [role, this.leadTo(role)?.key ?? DEFAULT_AUTOMATIONS[role]]);
    return Object.fromEntries(chosen) as Automations;
  }

  /**
   * Whether a lead at one stage is moved by a fact that leads to another: a lost lead is, any other is only moved forward.
   * Stages that end an enquiry are ahead of open ones, wherever they are placed.
   */
  isBehind(from: StageKey, to: StageKey): boolean {
    const rank = (key: StageKey) => {
      const stage = this.stages.find((each) => each.key === key);
      return stage ? RANKS[stage.outcome] * 1_000_000 + stage.position : -1;
    };
    const isLost = outcomeAt(from, this.stages.find(({ key }) => key === from)?.outcome ?? null) === 'lost';
    return from !== to && (isLost || rank(from) < rank(to));
  }

  add(fields: NewStage, now: Date): DomainEvent[] {
    if (this.has(fields.key)) {
      throw new ValidationFailed({ field: 'key', message: 'is the key of another stage' });
    }
    this.refuseTooMany('key');
    if (this.stages.length >= MAX_EVER) {
      throw new ValidationFailed({
        field: 'key',
        message: `can’t be added: there are ${MAX_EVER} stages, archived ones included; restore and rename one of them`,
      });
    }
    this.refuseUnknown(fields.allowedFrom);
    const stage = PipelineStage.open(this.ref, fields, this.nextPosition());
    this.stages.push(stage);
    return [this.event('created', stage, now)];
  }

  change(key: string, changes: Partial<StageFields>, now: Date): DomainEvent[] {
    const stage = this.find(key);
    if (stage.archivedAt) {
      throw new ValidationFailed({
        field: 'archivedAt',
        message: 'an archived stage can’t be changed; restore it first',
      });
    }
    const { outcome = stage.outcome, isHidden = stage.isHidden, allowedFrom } = changes;
    // A count stays, as zero, when the last lead has left.
    if (!stage.isBuiltIn && outcome !== stage.outcome && this.leads.has(key)) {
      throw new ValidationFailed({
        field: 'outcome',
        message: `can’t be changed: leads have been at the stage ${key}; add another stage`,
      });
    }
    if (!isOffered({ outcome, isHidden })) {
      const field = isHidden ? 'isHidden' : 'outcome';
      this.refuseLastOffered(stage, field, isHidden ? 'can’t be true' : 'can’t be changed');
    }
    this.refuseUnknown(allowedFrom);
    const previous = stage.change(changes);
    return previous ? [this.event('updated', stage, now, previous)] : [];
  }

  /** @param keys all stages that aren't archived, in their new order */
  reorder(keys: readonly string[], now: Date): DomainEvent[] {
    const { active } = this;
    const isPermutation = keys.length === active.length && active.every(({ key }) => keys.includes(key));
    if (!isPermutation) {
      throw new ValidationFailed({
        field: 'keys',
        message: `must contain each stage that isn’t archived exactly once: ${this.keys.join(', ')}`,
      });
    }
    return keys.flatMap((key, index) => {
      const stage = this.find(key);
      const previous = { position: stage.position };
      if (stage.position === index + 1) return [];
      stage.position = index + 1;
      stage.touch();
      return [this.event('updated', stage, now, previous)];
    });
  }

  /** @param moveTo the stage that the leads at it move to */
  archive(key: string, moveTo: string | undefined, now: Date): DomainEvent[] {
    const stage = this.find(key);
    if (stage.archivedAt) return [];
    if (stage.isBuiltIn) {
      throw new ValidationFailed({
        field: 'key',
        message: `can’t be ${key}: the eight built-in stages can be hidden, and not archived`,
      });
    }
    const source = this.stages.find((other) => other.moveTo === key);
    if (source) {
      throw new ValidationFailed({
        field: 'key',
        message: `can’t be ${key} now: leads are being moved to it from ${source.key}; try again when they have been`,
      });
    }
    this.refuseLastOffered(stage, 'key', `can’t be ${key}`);
    const leads = this.leads.get(key) ?? 0;
    const target = this.targetOf(stage, leads, moveTo);
    for (const role of stage.roles) {
      const heir = target && target.outcome !== 'lost' ? target : this.find(DEFAULT_AUTOMATIONS[role]);
      heir.roles = [...heir.roles, role];
      heir.touch();
    }
    stage.roles = [];
    stage.archivedAt = now;
    stage.moveTo = leads > 0 ? target!.key : null;
    stage.touch();
    return [this.event('archived', stage, now, { archivedAt: null })];
  }

  /** Leads that are still to be moved stay. */
  restore(key: string, now: Date): DomainEvent[] {
    const stage = this.find(key);
    const { archivedAt } = stage;
    if (!archivedAt) return [];
    this.refuseTooMany('key');
    const position = this.nextPosition();
    const previous = { archivedAt, ...(stage.position !== position && { position: stage.position }) };
    stage.archivedAt = null;
    stage.moveTo = null;
    stage.position = position;
    stage.touch();
    return [this.event('restored', stage, now, previous)];
  }

  /** Returns whether anything changed. */
  automate(choices: Partial<Automations>): boolean {
    const roles = STAGE_ROLES.filter((role) => choices[role] && choices[role] !== this.automations[role]);
    const targets = new Map(roles.map((role) => [role, this.targetOfFact(role, choices[role]!)]));
    for (const [role, target] of targets) {
      for (const stage of this.stages.filter((each) => each === target || each.roles.includes(role))) {
        stage.roles = stage === target ? [...stage.roles, role] : stage.roles.filter((each) => each !== role);
        stage.touch();
      }
    }
    return roles.length > 0;
  }

  private get active(): PipelineStage[] {
    return inOrder(this.stages.filter(({ archivedAt }) => !archivedAt));
  }

  private find(key: string): PipelineStage {
    const stage = this.stages.find((each) => each.key === key);
    if (!stage) throw new NotFound('stage');
    return stage;
  }

  private leadTo(role: StageRole): PipelineStage | undefined {
    return this.active.find(({ roles }) => roles.includes(role));
  }

  private targetOf(stage: PipelineStage, leads: number, moveTo?: string): PipelineStage | undefined {
    if (moveTo === undefined) {
      if (leads === 0) return undefined;
      throw new ValidationFailed({
        field: 'moveTo',
        message: `is required: ${leads} ${leads === 1 ? 'lead is' : 'leads are'} at this stage, archived ones included; name the stage that they move to`,
      });
    }
    const target = this.active.find((other) => other.key === moveTo && other !== stage);
    if (target) return target;
    const others = this.keys.filter((key) => key !== stage.key);
    throw new ValidationFailed({ field: 'moveTo', message: `must be one of ${others.join(', ')}` });
  }

  private targetOfFact(role: StageRole, key: string): PipelineStage {
    const target = this.active.find((stage) => stage.key === key);
    if (target && target.outcome !== 'lost') return target;
    throw new ValidationFailed({
      field: role,
      message: target ? 'must be a stage whose outcome isn’t lost' : `must be one of ${this.keys.join(', ')}`,
    });
  }

  private refuseTooMany(field: string): void {
    if (this.active.length < MAX_STAGES) return;
    throw new ValidationFailed({
      field,
      message: `can’t be added: there are ${MAX_STAGES} stages already; archive one first`,
    });
  }

  /** @throws ValidationFailed if the stage, which won't be offered any more, is the last one */
  private refuseLastOffered(stage: PipelineStage, field: string, refusal: string): void {
    if (!isOffered(stage) || this.active.some((other) => other !== stage && isOffered(other))) return;
    throw new ValidationFailed({ field, message: `${refusal}: at least one open stage has to be shown` });
  }

  private refuseUnknown(allowedFrom: readonly string[] | null | undefined): void {
    const unknown = allowedFrom?.find((key) => !this.has(key));
    if (unknown === undefined) return;
    throw new ValidationFailed({
      field: 'allowedFrom',
      message: `can’t contain ${unknown}, which is no stage; there are ${this.keys.join(', ')}`,
    });
  }

  private nextPosition(): number {
    return Math.max(...this.active.map(({ position }) => position)) + 1;
  }

  private view(stage: PipelineStage): StageView {
    return stage.view(this.leads.get(stage.key) ?? 0);
  }

  private event(what: string, stage: PipelineStage, now: Date, previous?: object): DomainEvent {
    const data = this.view(stage);
    return domainEvent({ type: `stage.${what}`, workspace: this.ref, timestamp: now, data, previous });
  }
}

function isOffered({ outcome, isHidden }: Pick<PipelineStage, 'outcome' | 'isHidden'>): boolean {
  return outcome === 'open' && !isHidden;
}

function inOrder(stages: readonly PipelineStage[]): PipelineStage[] {
  return stages.toSorted(
    (one, other) =>
      Number(one.archivedAt !== null) - Number(other.archivedAt !== null) ||
      one.position - other.position ||
      (one.key < other.key ? -1 : 1),
  );
}
