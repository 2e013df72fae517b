import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import type { CalendarEventId, HoldId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { HeldSpaces, type UnrankedHold } from '../../calendar';
import { defaultExpiry } from '../domain/deadlines';
import { Hold } from '../domain/hold';
import { HoldQueue } from '../domain/hold-queue';
import { dataOf, type HoldAction } from './hold-actions';
import { HoldQueues } from './hold-queues';
import { HoldRepository } from './hold-repository';

/** Limits the length of the transaction. */
export const MAX_ADOPTED = 500;

/** What became of a calendar event of type `hold`: a ranked hold, or a refusal. */
export interface Adoption {
  readonly calendarEventId: CalendarEventId;
  readonly title: string;
  readonly holdId: HoldId | null;
  readonly rank: number | null;
  readonly expiresAt: Date | null;
  readonly refusal: string | null;
}

/** Rolls back what was tried. */
class Tried extends Error {
  constructor(readonly adoptions: Adoption[]) {
    super('This was only tried.');
  }
}

/** Gives unranked holds places at the end of the queue, in the order in which they were planned. */
@Injectable()
export class AdoptHolds {
  constructor(
    private readonly holds: HoldRepository,
    private readonly queues: HoldQueues,
    private readonly spaces: HeldSpaces,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * At most MAX_ADOPTED that are still to come, in one transaction. One that is refused leaves the others.
   *
   * @param actor is recorded in the audit log
   * @param ids those alone, or all if undefined
   * @param isTrial tells what would become of them, and changes nothing
   */
  async execute(
    ref: WorkspaceRef,
    actor: Actor,
    { ids, isTrial }: { ids?: readonly CalendarEventId[]; isTrial: boolean },
  ): Promise<Adoption[]> {
    try {
      return await this.unitOfWork.run(async () => {
        const adoptions: Adoption[] = [];
        const found = await this.spaces.lockUnranked(ref, this.clock.now(), ids, MAX_ADOPTED);
        for (const unranked of found) adoptions.push(await this.adopt(ref, unranked));
        if (isTrial) throw new Tried(adoptions);
        await this.record(ref, actor, adoptions);
        return adoptions;
      });
    } catch (error) {
      if (error instanceof Tried) return error.adoptions;
      throw error;
    }
  }

  private async adopt(ref: WorkspaceRef, unranked: UnrankedHold): Promise<Adoption> {
    const { id: calendarEventId, title } = unranked;
    try {
      const { id: holdId, rank, expiresAt } = await this.place(ref, unranked);
      return { calendarEventId, title, holdId, rank, expiresAt, refusal: null };
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      const { field, message } = error.details[0]!;
      return {
        calendarEventId,
        title,
        holdId: null,
        rank: null,
        expiresAt: null,
        refusal: `${field} ${message}`,
      };
    }
  }

  private place(ref: WorkspaceRef, { id: calendarEventId, period, ...fields }: UnrankedHold) {
    return this.queues.run(ref, async ({ now, policy }) => {
      const claims = await this.spaces.claimsOf(ref, calendarEventId);
      const queue = new HoldQueue([], policy);
      const field = fields.spaceIds.length > 1 ? 'spaceIds' : 'spaceId';
      await this.queues.joined(ref, { claims, field, queue }, policy);
      const expiresAt = defaultExpiry({ placedAt: now, startsAt: period.startsAt }, policy);
      const position = await this.holds.takePosition(ref);
      const placing = {
        ...fields,
        notes: null,
        group: null,
        period,
        claims,
        position,
        expiresAt,
        calendarEventId,
      };
      const hold = Hold.place(ref, placing, now);
      await this.holds.add(hold, queue.placed(hold));
      return queue.view(hold);
    });
  }

  private async record(
    { workspaceId, mode }: WorkspaceRef,
    actor: Actor,
    adoptions: readonly Adoption[],
  ): Promise<void> {
    const holds = adoptions.flatMap(({ holdId }) => holdId ?? []);
    if (holds.length === 0) return;
    const action: HoldAction = 'hold.adopted';
    const details = { count: holds.length, holds };
    await this.auditLog.append({ workspaceId, mode, actor, action, target: dataOf(mode), details });
  }
}
