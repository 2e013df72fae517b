import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import { type LostReasonId, newId, type WorkspaceId } from '../../../kernel/ids';
import { withRevision } from '../../../kernel/precondition';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { timeOfChange } from '../../../kernel/time';
import type { Outcome } from './stage';

/** A lost reason as the API and events contain it. */
export interface LostReasonView {
  id: LostReasonId;
  name: string;
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A reason for which a workspace loses leads, such as the price. */
export class LostReason {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: LostReasonId;
  name!: string;
  archivedAt!: Date | null;
  readonly createdAt!: Date;
  updatedAt!: Date;
  revision!: number;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static open(
    { workspaceId, mode }: WorkspaceRef,
    name: string,
    now: Date,
  ): { reason: LostReason; events: DomainEvent[] } {
    const reason = new LostReason({
      workspaceId,
      mode,
      id: newId('reason'),
      name,
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    });
    return { reason, events: [reason.event('created')] };
  }

  rename(name: string, now: Date): DomainEvent[] {
    if (this.archivedAt) {
      throw new ValidationFailed({
        field: 'archivedAt',
        message: 'an archived lost reason can’t be changed; restore it first',
      });
    }
    if (name === this.name) return [];
    const previous = { name: this.name, updatedAt: this.updatedAt };
    this.name = name;
    this.touch(now);
    return [this.event('updated', previous)];
  }

  archive(now: Date): DomainEvent[] {
    if (this.archivedAt) return [];
    const previous = { archivedAt: null, updatedAt: this.updatedAt };
    this.touch(now);
    this.archivedAt = this.updatedAt;
    return [this.event('archived', previous)];
  }

  /** Its event is an update: there is no event type for restored reasons. */
  restore(now: Date): DomainEvent[] {
    if (!this.archivedAt) return [];
    const previous = { archivedAt: this.archivedAt, updatedAt: this.updatedAt };
    this.touch(now);
    this.archivedAt = null;
    return [this.event('updated', previous)];
  }

  view(): LostReasonView {
    const { id, name, archivedAt, createdAt, updatedAt, revision } = this;
    return withRevision({ id, name, archivedAt, createdAt, updatedAt }, revision);
  }

  private touch(now: Date): void {
    this.updatedAt = timeOfChange(this.updatedAt, now);
    this.revision++;
  }

  private event(what: string, previous?: object): DomainEvent {
    const { workspaceId, mode, updatedAt } = this;
    return domainEvent({
      type: `lost_reason.${what}`,
      workspace: { workspaceId, mode },
      timestamp: updatedAt,
      data: this.view(),
      previous,
    });
  }
}

/** @throws ValidationFailed if a lead that isn't lost gets a lost reason or note */
export function refuseLostFields(
  outcome: Outcome,
  fields: { lostReasonId?: LostReasonId | null; lostNote?: string | null },
): void {
  if (outcome === 'lost') return;
  const field = (['lostReasonId', 'lostNote'] as const).find((name) => (fields[name] ?? null) !== null);
  if (!field) return;
  throw new ValidationFailed({
    field,
    message: 'can be set only for a lead at a stage with the outcome lost, such as the stage lost',
  });
}

/**
 * Clears why a lead was lost if it isn't any more: instances of an earlier version move leads without doing so.
 *
 * @param outcome of its stage
 */
export function clearFormerLoss(
  outcome: Outcome,
  lead: { lostReasonId: LostReasonId | null; lostNote: string | null },
): void {
  if (outcome !== 'lost') Object.assign(lead, { lostReasonId: null, lostNote: null });
}
