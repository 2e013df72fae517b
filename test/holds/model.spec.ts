import * as fc from 'fast-check';
import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import { startGala, type TestGala } from '../support/start-gala';
import { ComparedHolds, operations } from './model';

/** `HOLD_RUNS=400 HOLD_OPERATIONS=100` is some 30,000 operations. */
const RUNS = Number(process.env.HOLD_RUNS ?? 6);
const MOST = Number(process.env.HOLD_OPERATIONS ?? 60);

jest.setTimeout(60_000 + RUNS * 10_000);

const clock = new FakeClock();
let gala: TestGala;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());

test('whatever is done to holds, their ranks, deadlines and events are those of the model', async () => {
  const compared = new ComparedHolds(gala, clock);
  await fc.assert(
    fc.asyncProperty(operations(MOST), (each) => compared.run(each)),
    { numRuns: RUNS, endOnFailure: process.env.HOLD_RUNS === undefined },
  );
});
