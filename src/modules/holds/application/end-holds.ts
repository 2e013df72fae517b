import { Injectable } from '@nestjs/common';
import { type ActingRef, type Actor, callerOf, OPERATOR } from '../../../kernel/actor';
import type { DomainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import type { HoldId, LeadId } from '../../../kernel/ids';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { AuditLog } from '../../audit-log';
import { HeldSpaces } from '../../calendar';
import { HoldLead } from '../../leads';
import type { Claim, EndedReason, Hold } from '../domain/hold';
import type { HoldQueue } from '../domain/hold-queue';
import type { HoldView } from '../domain/hold-view';
import type { HoldAction } from './hold-actions';
import { HoldQueues, type Subject, type Turn } from './hold-queues';
import { HoldRepository } from './hold-repository';

/** As many as a lead can have, unless they were placed before there was a limit: each end tells of all that overlap the hold. */
const BATCH = 50;
/** The most that an event or a block ends, so that its transaction has a limited length. */
const MAX_OUTBOOKED = 100;

/** Confirms and releases holds. An end is final. */
@Injectable()
export class EndHolds {
  constructor(
    private readonly holds: HoldRepository,
    private readonly queues: HoldQueues,
    private readonly spaces: HeldSpaces,
    private readonly holdLead: HoldLead,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Makes a hold an event. All that overlap it end, and so do the others of its group.
   *
   * @throws ValidationFailed when others are ahead, unless `overHolds`
   */
  confirm(ref: ActingRef, id: HoldId, overHolds: boolean, seen?: Precondition): Promise<HoldView> {
    return this.queues.change(ref, id, seen, async (subject) => {
      const { hold, queue, now } = subject;
      hold.requireLive(now);
      await this.spaces.lock(ref, hold.spaceIds);
      const ahead = queue.ahead(hold).map((other) => other.id);
      if (ahead.length > 0) {
        if (!overHolds) throw notFirst(ahead);
        await this.record('hold.confirmed_over_holds', ref, hold, ahead);
      }
      await this.spaces.confirm(ref, hold.calendarEventId, hold.claims, now);
      return this.endTogether(ref, subject);
    });
  }

  /** Released before, it is returned as it is. */
  release(ref: WorkspaceRef, id: HoldId, seen?: Precondition): Promise<HoldView> {
    return this.queues.change(ref, id, seen, ({ hold, queue, now }) => {
      if (hold.status === 'released') return [];
      hold.requireLive(now);
      return release(queue, [hold], 'released', now);
    });
  }

  /**
   * Releases all live holds that a lead had when it was lost, unless it has another outcome by now, or the policy keeps them.
   *
   * @param lostAt holds placed later stay
   */
  async releaseOfLead(ref: WorkspaceRef, leadId: LeadId, lostAt: Date): Promise<void> {
    const { releaseOnLost } = await this.holds.policy(ref);
    if (!releaseOnLost) return;
    let found: number;
    do {
      found = await this.endFound(ref, 'lead_closed', async () => {
        const ids = await this.holds.liveOfLead(ref, leadId, { placedBy: lostAt, atMost: BATCH });
        if (ids.length === 0) return ids;
        // Locked after the queue, so that nobody moves the lead back meanwhile.
        const { outcome } = await this.holdLead.execute(ref, leadId);
        return outcome === 'lost' ? ids : [];
      });
    } while (found === BATCH);
  }

  /**
   * Ends all live holds that ask for these spaces at that time: something else takes them.
   *
   * @returns false, having ended none, when they are more than MAX_OUTBOOKED
   */
  async outbook(ref: WorkspaceRef, claims: readonly Claim[]): Promise<boolean> {
    const found = await this.holds.over(ref, claims, MAX_OUTBOOKED + 1);
    if (found.length > MAX_OUTBOOKED) return false;
    await this.endFound(ref, 'outbooked', () => Promise.resolve(found));
    return true;
  }

  private endFound(ref: WorkspaceRef, reason: EndedReason, find: () => Promise<HoldId[]>): Promise<number> {
    return this.queues.run(ref, async ({ now, policy }: Turn) => {
      const ids = await find();
      const queue = await this.queues.around(ref, ids, policy);
      const holds = ids.map((id) => queue.get(id)!);
      await this.queues.save(ref, queue, release(queue, holds, reason, now));
      return ids.length;
    });
  }

  private async endTogether(ref: WorkspaceRef, { hold, queue, now }: Subject): Promise<DomainEvent[]> {
    const rivals = queue.rivals(hold);
    const group = hold.group ? await this.holds.liveInGroup(ref, hold.group) : [];
    await this.queues.widen(ref, queue, [...rivals.map(({ id }) => id), ...group]);
    const rest = group
      .map((id) => queue.get(id)!)
      .filter((other) => other !== hold && !rivals.includes(other));
    return queue.act({
      at: now,
      subjects: [hold, ...rivals, ...rest],
      type: (each) => (each === hold ? 'hold.confirmed' : 'hold.released'),
      apply: () => {
        hold.end('confirmed', null, now);
        for (const rival of rivals) rival.end('released', 'outbooked', now);
        for (const other of rest) other.end('released', 'group_confirmed', now);
      },
    });
  }

  private record(action: HoldAction, ref: ActingRef, hold: Hold, over: readonly HoldId[]): Promise<void> {
    const { workspaceId, mode, id, title } = hold;
    const actor: Actor = callerOf(ref) ?? OPERATOR;
    const target = { id, name: title };
    return this.auditLog.append({ workspaceId, mode, actor, action, target, details: { over } });
  }
}

function release(queue: HoldQueue, holds: readonly Hold[], reason: EndedReason, at: Date): DomainEvent[] {
  const apply = () => holds.forEach((hold) => hold.end('released', reason, at));
  return queue.act({ at, subjects: holds, type: 'hold.released', apply });
}

function notFirst(ahead: readonly HoldId[]): ValidationFailed {
  return new ValidationFailed({
    field: 'rank',
    message: `others are ahead: ${ahead.join(', ')}. Challenge them, or send overHolds: true to end them`,
  });
}
