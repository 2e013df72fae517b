import { Clock } from '../kernel/clock';

/** A clock that a test advances. It stands still at `startsAt`, or else runs with the system's clock. */
export class TestClock extends Clock {
  private readonly start?: number;
  private advanced = 0;

  /** @param startsAt an RFC 3339 time */
  constructor(startsAt?: string) {
    super();
    this.start = startsAt === undefined ? undefined : Date.parse(startsAt);
  }

  now(): Date {
    return new Date((this.start ?? Date.now()) + this.advanced);
  }

  /** The time `seconds` from now, as the API writes it. */
  in(seconds: number): string {
    return new Date(this.now().getTime() + seconds * 1000).toISOString();
  }

  advance(seconds: number): void {
    this.advanced += seconds * 1000;
  }
}
