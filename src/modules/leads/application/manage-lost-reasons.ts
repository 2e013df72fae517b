import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import type { DomainEvent } from '../../../kernel/domain-event';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { LostReasonId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { LostReason, type LostReasonView } from '../domain/lost-reason';
import { type LostReasonFilter, LostReasonRepository, type ReasonsTaken } from './lost-reason-repository';
import type { PipelineAction } from './pipeline-actions';

export const MAX_REASONS = 50;
/** Archived ones included, since leads keep them. */
const MAX_EVER = 200;
const EVERY_REASON = {
  ...{ page: 1, limit: MAX_EVER, fingerprint: '' },
  sort: { field: 'name', descending: false },
} as const;

@Injectable()
export class ManageLostReasons {
  constructor(
    private readonly reasons: LostReasonRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async get(ref: WorkspaceRef, id: LostReasonId): Promise<LostReasonView> {
    const reason = await this.reasons.find(ref, id);
    if (!reason) throw new NotFound('lost reason');
    return reason;
  }

  async list(
    ref: WorkspaceRef,
    filter: LostReasonFilter,
    request: PageRequest,
  ): Promise<Page<LostReasonView>> {
    return pageOf(request, await this.reasons.list(ref, filter, request), ({ name, id }) => ({
      value: name,
      id,
    }));
  }

  /** The names of all there ever were, by their ids. */
  async names(ref: WorkspaceRef): Promise<Map<LostReasonId, string>> {
    const { items } = await this.reasons.list(ref, { archived: 'all' }, EVERY_REASON);
    return new Map(items.map(({ id, name }) => [id, name]));
  }

  create(ref: WorkspaceRef, actor: Actor, name: string): Promise<LostReasonView> {
    return this.unitOfWork.run(async () => {
      const { active, all, namesake } = await this.reasons.lockAll(ref, name);
      if (namesake) throw nameTaken(namesake);
      refuseTooMany(active);
      if (all >= MAX_EVER) {
        throw new ValidationFailed({
          field: 'name',
          message: `can’t be added: there are ${MAX_EVER} lost reasons, archived ones included; restore and rename one of them`,
        });
      }
      const { reason, events } = LostReason.open(ref, name, this.clock.now());
      await this.reasons.add(reason, events);
      await this.record('lost_reason.created', actor, reason);
      return reason.view();
    });
  }

  rename(
    ref: WorkspaceRef,
    actor: Actor,
    id: LostReasonId,
    name: string | undefined,
    seen?: Precondition,
  ): Promise<LostReasonView> {
    const rename = (reason: LostReason, now: Date, { namesake }: ReasonsTaken) => {
      if (name === undefined) return [];
      if (namesake && namesake.id !== id) throw nameTaken(namesake);
      return reason.rename(name, now);
    };
    return this.change(ref, actor, id, 'lost_reason.updated', rename, { seen, name });
  }

  archive(ref: WorkspaceRef, actor: Actor, id: LostReasonId, seen?: Precondition): Promise<LostReasonView> {
    return this.change(ref, actor, id, 'lost_reason.archived', (reason, now) => reason.archive(now), {
      seen,
    });
  }

  restore(ref: WorkspaceRef, actor: Actor, id: LostReasonId, seen?: Precondition): Promise<LostReasonView> {
    const restore = (reason: LostReason, now: Date, { active }: ReasonsTaken) => {
      if (reason.archivedAt) refuseTooMany(active);
      return reason.restore(now);
    };
    return this.change(ref, actor, id, 'lost_reason.restored', restore, { seen });
  }

  private change(
    ref: WorkspaceRef,
    actor: Actor,
    id: LostReasonId,
    action: PipelineAction,
    apply: (reason: LostReason, now: Date, taken: ReasonsTaken) => DomainEvent[],
    { seen, name }: { seen?: Precondition; name?: string },
  ): Promise<LostReasonView> {
    return this.unitOfWork.run(async () => {
      const taken = await this.reasons.lockAll(ref, name);
      const reason = await this.reasons.lock(ref, id);
      if (!reason) throw new NotFound('lost reason');
      seen?.check(reason.view());
      const events = apply(reason, this.clock.now(), taken);
      if (events.length) {
        await this.reasons.save(reason, events);
        await this.record(action, actor, reason);
      }
      return reason.view();
    });
  }

  private record(
    action: PipelineAction,
    actor: Actor,
    { workspaceId, mode, id, name }: LostReason,
  ): Promise<void> {
    return this.auditLog.append({ workspaceId, mode, actor, action, target: { id, name } });
  }
}

export function refuseTooMany(active: number): void {
  if (active < MAX_REASONS) return;
  throw new ValidationFailed({
    field: 'name',
    message: `can’t be added: there are ${MAX_REASONS} lost reasons already; archive one first`,
  });
}

function nameTaken({ archivedAt }: LostReasonView): ValidationFailed {
  return new ValidationFailed({
    field: 'name',
    message: archivedAt
      ? 'is the name of an archived lost reason; restore that one'
      : 'is the name of another lost reason',
  });
}
