import { Clock } from '../../src/kernel/clock';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { FakeClock } from './fake-clock';
import { startGala, type TestGala } from './start-gala';

/** Starts a service that does its work in the background, delivers to this machine, and has a clock that tests move. */
export async function startDeliveringGala(): Promise<{ gala: TestGala; clock: FakeClock }> {
  const clock = new FakeClock(new Date().toISOString());
  const gala = await startGala({
    configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] },
    overrides: [{ provide: Clock, useValue: clock }],
  });
  gala.app.get(BackgroundJobs).start();
  return { gala, clock };
}
