import type { UserId } from '../../../kernel/ids';

interface Assignee {
  readonly userId: UserId;
  /** The turn in which the member was given a lead last. */
  readonly given: number;
}

/** Whose turn it is to be given a lead: each time the member who was given one least recently. */
export class Turns {
  private readonly waiting: UserId[];
  private readonly taken = new Map<UserId, number>();

  /** @param turn the number of turns so far */
  constructor(
    private turn: number,
    assignees: readonly Assignee[],
  ) {
    const order = assignees.toSorted(
      (one, other) => one.given - other.given || (one.userId < other.userId ? -1 : 1),
    );
    this.waiting = order.map(({ userId }) => userId);
  }

  /** The number of turns so far. */
  get count(): number {
    return this.turn;
  }

  /** The members who were given a lead since, with their latest turns. */
  get latest(): ReadonlyMap<UserId, number> {
    return this.taken;
  }

  /** Null when there is no member whom leads can be given to. */
  get next(): UserId | null {
    return this.waiting[0] ?? null;
  }

  /** Gives a lead to the next member. */
  take(): void {
    const next = this.waiting.shift();
    if (next === undefined) return;
    this.taken.set(next, ++this.turn);
    this.waiting.push(next);
  }
}
