import { Clock } from '../../src/kernel/clock';

/** A clock that stands still until it is told to go on. */
export class FakeClock extends Clock {
  private time: number;

  constructor(start = '2027-01-15T09:30:00.000Z') {
    super();
    this.time = Date.parse(start);
  }

  now(): Date {
    return new Date(this.time);
  }

  /** The moment `seconds` from now, as the API writes it. */
  in(seconds: number): string {
    return new Date(this.time + seconds * 1000).toISOString();
  }

  advance(seconds: number): void {
    this.time += seconds * 1000;
  }
}

/** A clock that goes on by a millisecond each time that it is read. */
export class TickingClock extends FakeClock {
  override now(): Date {
    this.advance(0.001);
    return super.now();
  }
}
