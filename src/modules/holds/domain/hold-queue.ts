import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import type { HoldId } from '../../../kernel/ids';
import { later } from '../../../kernel/time';
import type { Hold } from './hold';
import { HOUR_MS, type HoldPolicy } from './hold-policy';
import { holdView, type HoldView } from './hold-view';
import { type Overlaps, overlapsOf } from './overlaps';

/** An act on some holds, and the type of the event that tells of it. Others are told what it means to them. */
export interface Act {
  readonly at: Date;
  readonly subjects: readonly Hold[];
  readonly type: string | ((hold: Hold) => string);
  readonly apply: () => void;
}

/**
 * Live holds that compete for spaces. Ranks are worked out here and stored nowhere: the rank of a hold is 1 and the number
 * of holds ahead, those with a smaller position that overlap it in a space.
 *
 * An act can change the subjects, the holds that overlap them, and nothing else. The ranks of those are right if the queue
 * contains the holds that overlap them in turn.
 */
export class HoldQueue {
  private readonly holds = new Map<HoldId, Hold>();
  private readonly changed = new Set<Hold>();
  /** Acts read it for each hold that they touch. Undefined until it is read, and after holds came or asked for more. */
  private overlaps?: Overlaps;

  constructor(
    holds: Iterable<Hold>,
    private readonly policy: HoldPolicy,
  ) {
    for (const hold of holds) this.holds.set(hold.id, hold);
  }

  /** Those that acts changed, to be saved. */
  get changes(): Hold[] {
    return [...this.changed];
  }

  add(hold: Hold): void {
    this.holds.set(hold.id, hold);
    this.overlaps = undefined;
  }

  get(id: HoldId): Hold | undefined {
    return this.holds.get(id);
  }

  /** First in the queue first. */
  ahead(hold: Hold): Hold[] {
    return this.rivals(hold).filter(({ position }) => position < hold.position);
  }

  behind(hold: Hold): Hold[] {
    return this.rivals(hold).filter(({ position }) => position > hold.position);
  }

  /** All that overlap it, by position. */
  rivals(hold: Hold): Hold[] {
    this.overlaps ??= overlapsOf(this.holds.values());
    return [...(this.overlaps.get(hold) ?? [])].sort((one, other) => one.position - other.position);
  }

  view(hold: Hold): HoldView {
    const rivals = this.rivals(hold);
    const ids = (holds: readonly Hold[]) => holds.map(({ id }) => id);
    return holdView(hold, {
      ahead: ids(rivals.filter(({ position }) => position < hold.position)),
      challengedBy: ids(
        rivals.filter(
          ({ position, challengeDeadline }) => position > hold.position && challengeDeadline !== null,
        ),
      ),
    });
  }

  /** Applies an act, and returns the events of every hold that it touched. */
  act({ at, subjects, type, apply }: Act): DomainEvent[] {
    const touched = new Set([...subjects, ...subjects.flatMap((hold) => this.rivals(hold))]);
    const before = new Map([...touched].map((hold) => [hold, this.view(hold)]));
    const claims = new Map(subjects.map((hold) => [hold, hold.claims]));
    apply();
    for (const [hold, former] of claims) if (hold.claims !== former) this.reclaimed(hold);
    this.followUp(at, before);
    return [...touched].flatMap((hold) => {
      const own = subjects.includes(hold) ? (typeof type === 'string' ? type : type(hold)) : undefined;
      return this.told(hold, before.get(hold)!, own, at);
    });
  }

  /** The events of a new hold. It is behind all others, and so touches none. */
  placed(hold: Hold): DomainEvent[] {
    this.add(hold);
    hold.schedule(this.policy);
    return [this.event('hold.placed', hold, undefined)];
  }

  /** Announces its deadline. It changes nothing that clients see. */
  remind(hold: Hold): DomainEvent[] {
    // A deadline that is nearer than the reminder was told late.
    const timestamp = later(hold.nextAt!, hold.updatedAt);
    hold.remindedFor = hold.dueAt;
    hold.schedule(this.policy);
    this.changed.add(hold);
    return [{ ...this.event('hold.expiring', hold, undefined), timestamp }];
  }

  /** An end leaves the overlaps of all others as they are. Other claims are worked out anew, which few acts need. */
  private reclaimed(hold: Hold): void {
    if (hold.isLive) this.overlaps = undefined;
    for (const rival of this.overlaps?.get(hold) ?? []) this.overlaps!.get(rival)!.delete(hold);
    this.overlaps?.get(hold)?.clear();
  }

  /** What an act means for challenges: who became first, and who has to answer by when. */
  private followUp(at: Date, before: ReadonlyMap<Hold, HoldView>): void {
    const live = [...before].filter(([hold]) => hold.isLive);
    const floor = new Date(at.getTime() + this.policy.winnerHours * HOUR_MS);
    for (const [hold, { rank }] of live) {
      if (rank === 1 || this.ahead(hold).length > 0) continue;
      if (hold.challengeDeadline) Object.assign(hold, { confirmBy: floor, challengeDeadline: null });
      else hold.answerFloor = floor;
    }
    for (const [hold] of live) {
      const deadlines = this.behind(hold).flatMap(({ challengeDeadline }) => challengeDeadline ?? []);
      if (deadlines.length === 0) hold.answerFloor = null;
      hold.answerBy = answerBy(hold, deadlines);
      hold.schedule(this.policy);
    }
  }

  private told(hold: Hold, before: HoldView, own: string | undefined, at: Date): DomainEvent[] {
    const after = this.view(hold);
    const previous = differences(before, after);
    if (Object.keys(previous).length === 0) return [];
    const types = new Set<string>();
    if (own) types.add(own);
    if (hold.isLive) {
      if (after.rank! < before.rank!) types.add('hold.promoted');
      if (after.rank! > before.rank!) types.add('hold.demoted');
      if (!own) {
        if (lacks(before.challengedBy, after.challengedBy)) types.add('hold.challenged');
        if (lacks(after.challengedBy, before.challengedBy)) types.add('hold.challenge_withdrawn');
        if (types.size === 0) types.add('hold.updated');
      }
    }
    hold.touch(at);
    this.changed.add(hold);
    const former = { ...previous, updatedAt: before.updatedAt, revision: before.revision };
    return [...types].map((type) => this.event(type, hold, former));
  }

  private event(type: string, hold: Hold, previous: object | undefined): DomainEvent {
    const workspace = { workspaceId: hold.workspaceId, mode: hold.mode };
    return domainEvent({ type, workspace, timestamp: hold.updatedAt, data: this.view(hold), previous });
  }
}

/** The deadline of a hold that others challenge, or that its own challenge made first. */
function answerBy({ confirmBy, answerFloor }: Hold, deadlines: readonly Date[]): Date | null {
  if (confirmBy) return confirmBy;
  if (deadlines.length === 0) return null;
  const first = Math.min(...deadlines.map((deadline) => deadline.getTime()));
  return new Date(Math.max(first, answerFloor?.getTime() ?? first));
}

function lacks(ids: readonly HoldId[], others: readonly HoldId[]): boolean {
  return others.some((id) => !ids.includes(id));
}

/** The former values of the changed fields. */
function differences(before: HoldView, after: HoldView): Partial<HoldView> {
  const names = Object.keys(before) as (keyof HoldView)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, before[name]]));
}
