const HOUR = 3_600_000;

/** A space of the model: its index, with set-up and clearing in hours. */
export interface ModelSpace {
  setup: number;
  clearing: number;
}

interface Taken {
  space: number;
  from: number;
  to: number;
}

/** Instants are Unix milliseconds. */
export interface ModelHold {
  name: string;
  place: number;
  spaces: number[];
  from: number;
  to: number;
  taken: Taken[];
  group: string | null;
  expires: number;
  /** The deadline of its own challenge. */
  challenge: number | null;
  /** By when the winner of a challenge confirms. */
  confirmBy: number | null;
  /** Before it, the hold need not answer. */
  floor: number;
  status: string;
  reason: string | null;
}

export interface ModelInput {
  spaces: number[];
  from: number;
  to: number;
  group?: string | null;
  expires?: number;
}

const POLICY = { defaultDays: 14, challengeHours: 48, winnerHours: 24, maxRank: 5 };

/** Holds worked out the plain way: every question looks through all of them. An act returns the field that it is refused for. */
export class HoldModel {
  readonly holds: ModelHold[] = [];
  private readonly events: Taken[] = [];
  private places = 0;
  /** Whether each live hold was first when the act began. */
  private first = new Map<ModelHold, boolean>();

  constructor(
    private readonly spaces: readonly ModelSpace[],
    public now: number,
  ) {}

  live(): ModelHold[] {
    return this.holds.filter(({ status }) => status === 'active');
  }

  ahead(hold: ModelHold): ModelHold[] {
    return this.over(hold.taken).filter(({ place }) => place < hold.place);
  }

  challengers(hold: ModelHold): ModelHold[] {
    return this.over(hold.taken).filter(({ place, challenge }) => place > hold.place && challenge !== null);
  }

  answerBy(hold: ModelHold): number | null {
    if (hold.confirmBy !== null) return hold.confirmBy;
    const deadlines = this.challengers(hold).map(({ challenge }) => challenge!);
    return deadlines.length ? Math.max(Math.min(...deadlines), hold.floor) : null;
  }

  advance(hours: number): void {
    this.now += hours * HOUR;
    for (;;) {
      const due = (hold: ModelHold) => Math.min(hold.expires, this.answerBy(hold) ?? Infinity);
      const [next] = this.live()
        .filter((hold) => due(hold) <= this.now)
        .sort((one, other) => due(one) - due(other) || one.place - other.place);
      if (!next) return;
      const at = due(next);
      const reason = at < next.expires ? 'challenge_lapsed' : 'expired';
      this.change(() => this.end(next, 'expired', reason), at);
    }
  }

  place(name: string, asked: ModelInput): string | undefined {
    const taken = this.taken(asked);
    const field = fieldOf(asked);
    if (this.over(taken).length >= POLICY.maxRank || this.isBooked(taken)) return field;
    const expires = asked.expires ?? Math.min(this.now + POLICY.defaultDays * 24 * HOUR, asked.from);
    this.holds.push({
      ...{ name, place: ++this.places, spaces: asked.spaces, from: asked.from, to: asked.to, taken, expires },
      ...{ group: asked.group ?? null, challenge: null, confirmBy: null, floor: 0 },
      ...{ status: 'active', reason: null },
    });
    return undefined;
  }

  move(hold: ModelHold, asked: ModelInput): string | undefined {
    if (hold.status !== 'active') return 'status';
    const isSame =
      asked.from === hold.from && asked.to === hold.to && String(asked.spaces) === String(hold.spaces);
    if (isSame) return undefined;
    const taken = this.taken(asked);
    const isPart = taken.every((each) =>
      hold.taken.some(({ space, from, to }) => space === each.space && from <= each.from && to >= each.to),
    );
    const others = this.over(taken).filter((other) => other !== hold);
    if (!isPart && (others.length >= POLICY.maxRank || this.isBooked(taken))) return fieldOf(asked);
    this.change(() => {
      Object.assign(hold, { spaces: asked.spaces, from: asked.from, to: asked.to, taken });
      hold.expires = Math.min(hold.expires, asked.from);
      if (!isPart) Object.assign(hold, { place: ++this.places, challenge: null, confirmBy: null, floor: 0 });
    });
    return undefined;
  }

  release(hold: ModelHold): string | undefined {
    if (hold.status === 'released') return undefined;
    if (hold.status !== 'active') return 'status';
    this.change(() => this.end(hold, 'released', 'released'));
    return undefined;
  }

  confirm(hold: ModelHold, overHolds: boolean): string | undefined {
    if (hold.status !== 'active') return 'status';
    if (this.ahead(hold).length > 0 && !overHolds) return 'rank';
    const rivals = this.over(hold.taken).filter((other) => other !== hold);
    const group = this.live().filter((other) => hold.group && other.group === hold.group);
    this.events.push(...hold.taken);
    this.change(() => {
      for (const rival of rivals) this.end(rival, 'released', 'outbooked');
      for (const other of group)
        if (other !== hold && !rivals.includes(other)) this.end(other, 'released', 'group_confirmed');
      this.end(hold, 'confirmed', null);
    });
    return undefined;
  }

  book(asked: ModelInput, overHolds: boolean): string | undefined {
    const taken = this.taken(asked);
    const holds = this.over(taken);
    if (this.isBooked(taken) || (holds.length > 0 && !overHolds)) return fieldOf(asked);
    this.events.push(...taken);
    this.change(() => holds.forEach((hold) => this.end(hold, 'released', 'outbooked')));
    return undefined;
  }

  challenge(hold: ModelHold, hours: number | undefined): string | undefined {
    if (hold.status !== 'active') return 'status';
    const ahead = this.ahead(hold);
    if (ahead.length === 0) return 'rank';
    const deadline = this.now + (hours ?? POLICY.challengeHours) * HOUR;
    if (hold.challenge !== null) {
      return hours === undefined || deadline === hold.challenge ? undefined : 'deadline';
    }
    if (ahead.some(({ from }) => from < deadline)) return 'deadline';
    this.change(() => (hold.challenge = deadline));
    return undefined;
  }

  withdraw(hold: ModelHold): string | undefined {
    if (hold.status !== 'active' || hold.challenge === null) return 'status';
    this.change(() => (hold.challenge = null));
    return undefined;
  }

  private taken({ spaces, from, to }: ModelInput): Taken[] {
    return spaces.map((space) => {
      const { setup, clearing } = this.spaces[space]!;
      return { space, from: from - setup * HOUR, to: to + clearing * HOUR };
    });
  }

  private over(taken: readonly Taken[]): ModelHold[] {
    return this.live()
      .filter((hold) => hold.taken.some((mine) => taken.some((theirs) => meet(mine, theirs))))
      .sort((one, other) => one.place - other.place);
  }

  private isBooked(taken: readonly Taken[]): boolean {
    return this.events.some((event) => taken.some((each) => meet(event, each)));
  }

  private end(hold: ModelHold, status: string, reason: string | null): void {
    Object.assign(hold, { status, reason, challenge: null, confirmBy: null });
  }

  /** Who becomes first by an act, and by a challenge or under one, gets time to answer. */
  private change(act: () => unknown, at = this.now): void {
    this.first = new Map(this.live().map((hold) => [hold, this.ahead(hold).length === 0]));
    act();
    const winners = this.live().filter((hold) => !this.first.get(hold) && this.ahead(hold).length === 0);
    for (const hold of winners) {
      const until = at + POLICY.winnerHours * HOUR;
      if (hold.challenge === null) hold.floor = until;
      else Object.assign(hold, { challenge: null, confirmBy: until });
    }
    for (const hold of this.live()) if (this.challengers(hold).length === 0) hold.floor = 0;
  }
}

function meet(one: Taken, other: Taken): boolean {
  return one.space === other.space && one.from < other.to && other.from < one.to;
}

function fieldOf({ spaces }: ModelInput): string {
  return spaces.length > 1 ? 'spaceIds' : 'spaceId';
}
