import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { HoldId, LeadId } from '../../../kernel/ids';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { HeldSpaces } from '../../calendar';
import type { Claim, Hold } from '../domain/hold';
import type { HoldPolicy } from '../domain/hold-policy';
import { HoldQueue } from '../domain/hold-queue';
import { type HoldView, holdView } from '../domain/hold-view';
import { HoldRepository } from './hold-repository';
import { saveQueue } from './save-queue';
import { SettleHolds } from './settle-holds';

/** The holds behind one, so that its end tells of a limited number. */
const MAX_BEHIND = 50;
/** Enough to name in an error. */
const NAMED = 10;
/** The live holds of a group, which end together. */
const MAX_IN_GROUP = 20;
/** The live holds of a lead, which end together when it is lost. */
const MAX_OF_LEAD = 50;

/** A locked queue in which nothing is due. */
export interface Turn {
  readonly now: Date;
  readonly policy: HoldPolicy;
}

/** A hold that is to be changed. One that has ended is not in the queue. */
export interface Subject extends Turn {
  readonly hold: Hold;
  readonly queue: HoldQueue;
}

/** Takes the lock of a queue, and reads and writes the part of it that an act touches. */
@Injectable()
export class HoldQueues {
  constructor(
    private readonly holds: HoldRepository,
    private readonly spaces: HeldSpaces,
    private readonly settleHolds: SettleHolds,
  ) {}

  run<Result>(ref: WorkspaceRef, work: (turn: Turn) => Promise<Result>): Promise<Result> {
    return this.spaces.run(async () => {
      const now = await this.settleHolds.execute(ref);
      return work({ now, policy: await this.holds.openQueue(ref) });
    });
  }

  /**
   * Changes one hold, and returns it as it is then.
   *
   * @param apply returns the events, of this hold and of all that it touched
   */
  change(
    ref: WorkspaceRef,
    id: HoldId,
    seen: Precondition | undefined,
    apply: (subject: Subject) => DomainEvent[] | Promise<DomainEvent[]>,
  ): Promise<HoldView> {
    return this.run(ref, async (turn) => {
      const queue = await this.around(ref, [id], turn.policy);
      const hold = queue.get(id) ?? (await this.holds.byId(ref, id));
      if (!hold) throw new NotFound('hold');
      const view = () => (hold.isLive ? queue.view(hold) : holdView(hold, { ahead: [], challengedBy: [] }));
      seen?.check(view());
      const events = await apply({ ...turn, hold, queue });
      await this.save(ref, queue, events);
      return view();
    });
  }

  async around(ref: WorkspaceRef, ids: readonly HoldId[], policy: HoldPolicy): Promise<HoldQueue> {
    return new HoldQueue(await this.holds.around(ref, ids), policy);
  }

  /** Adds the surroundings of further holds. Those that are in the queue stay as they are. */
  async widen(ref: WorkspaceRef, queue: HoldQueue, ids: readonly HoldId[]): Promise<void> {
    for (const hold of await this.holds.around(ref, ids)) if (!queue.get(hold.id)) queue.add(hold);
  }

  save(ref: WorkspaceRef, queue: HoldQueue, events: readonly DomainEvent[]): Promise<void> {
    return saveQueue(this.holds, this.spaces, ref, queue, events);
  }

  /**
   * The queue for a hold that takes a place at its end.
   *
   * @param field names the spaces in the request
   * @param moved isn't its own rival
   * @throws ValidationFailed when the queue is full
   */
  async joined(
    ref: WorkspaceRef,
    {
      claims,
      field,
      queue,
      moved,
    }: { claims: readonly Claim[]; field: string; queue: HoldQueue; moved?: Hold },
    { maxRank }: HoldPolicy,
  ): Promise<void> {
    const waiting = await this.holds.over(ref, claims, maxRank + 1);
    const ahead = waiting.filter((id) => id !== moved?.id);
    const refuse = (message: string): never => {
      throw new ValidationFailed({ field, message });
    };
    if (ahead.length >= maxRank) {
      const found = ahead.length > maxRank ? `more than ${maxRank}` : maxRank;
      const named = ahead.slice(0, NAMED).join(', ');
      refuse(`has ${found} holds at that time already, and ${maxRank} are the most: ${named}`);
    }
    await this.widen(ref, queue, ahead);
    const crowded = ahead.find((id) => queue.behind(queue.get(id)!).length >= MAX_BEHIND);
    if (crowded)
      refuse(`has ${MAX_BEHIND} holds behind ${crowded} already: place it for fewer spaces or days`);
  }

  /** @throws ValidationFailed when the group is full */
  async refuseFullGroup(ref: WorkspaceRef, group: string | null | undefined): Promise<void> {
    if (!group || (await this.holds.liveInGroup(ref, group)).length < MAX_IN_GROUP) return;
    refuseMore('group', MAX_IN_GROUP);
  }

  /** @throws ValidationFailed when the lead has as many as may end together */
  async refuseFullLead(ref: WorkspaceRef, leadId: LeadId, now: Date): Promise<void> {
    const live = await this.holds.liveOfLead(ref, leadId, { placedBy: now, atMost: MAX_OF_LEAD });
    if (live.length === MAX_OF_LEAD) refuseMore('leadId', MAX_OF_LEAD);
  }
}

function refuseMore(field: 'group' | 'leadId', most: number): never {
  throw new ValidationFailed({
    field,
    message: `has ${most} live holds already, and more can't end together`,
  });
}
