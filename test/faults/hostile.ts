import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../support/service-process';
import { Probe, type ProbeReport } from './probe';
import { residentMb } from './support';

const ROUNDS = 3;
const P99_MS = 250;
const MEMORY_MB = 400;
const SAMPLE_MS = 100;

/**
 * Another tenant's requests stay fast and are all answered while an attack runs, in a bounded memory. The best of three
 * rounds counts, since others may be at work on this machine.
 *
 * @param attack resolves to what ends it
 */
export async function expectUnhurt(
  service: ServiceProcess,
  key: string,
  attack: () => Promise<() => Promise<unknown>>,
  attackMs: number,
): Promise<void> {
  const rounds: (ProbeReport & { mb: number })[] = [];
  const isUnhurt = ({ p99Ms, mb, statuses }: (typeof rounds)[number]) =>
    p99Ms <= P99_MS && mb <= MEMORY_MB && Object.keys(statuses).join() === '200';
  while (rounds.length < ROUNDS && !rounds.some(isUnhurt)) {
    const probe = new Probe(service.baseUrl, key);
    await sleep(1000);
    let mb = 0;
    const watch = setInterval(() => (mb = Math.max(mb, residentMb(service))), SAMPLE_MS);
    try {
      const end = await attack();
      await sleep(attackMs);
      const report = await probe.stop();
      await end();
      rounds.push({ ...report, mb });
    } finally {
      clearInterval(watch);
    }
  }
  console.info(`${expect.getState().currentTestName}: ${JSON.stringify(rounds)}`);
  expect(rounds.filter(isUnhurt)).toHaveLength(1);
}
