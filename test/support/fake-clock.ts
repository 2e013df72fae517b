import { TestClock } from '../../src/testing/test-clock';

/** A clock that stands still until it is told to go on. */
export class FakeClock extends TestClock {
  constructor(start = '2027-01-15T09:30:00.000Z') {
    super(start);
  }
}

/** A clock that goes on by a millisecond each time that it is read. */
export class TickingClock extends FakeClock {
  override now(): Date {
    this.advance(0.001);
    return super.now();
  }
}
