import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { toUuid } from '../../src/kernel/ids';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Installation, median, processorSeconds, residentMb, until } from './support';

const EVENTS = 100_000;
/** Garbage comes and goes by tens of megabytes; two kilobytes lost a delivery would be 130 between the quarters. */
const GROWTH_MB = 64;

let installation: Installation;
let receiver: WebhookReceiver;
beforeAll(async () => {
  installation = await Installation.create();
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await installation.remove();
  await receiver.stop();
});

test(`${EVENTS} events that piled up all arrive, without the service growing`, async () => {
  await installation.subscribe(receiver.url, ['lead.*']);
  await installation.sql(
    `INSERT INTO events (workspace_id, mode, id, type, occurred_at, data)
     SELECT $1, 'test', gen_random_uuid(), 'lead.created', now(), json_build_object('id', 'lead_' || n, 'name', 'Ana Pérez')
     FROM generate_series(1, ${EVENTS}) AS n`,
    [toUuid(installation.workspace.id)],
  );
  const service = await installation.startService();
  const processorAtStart = processorSeconds(service);
  const startedAt = performance.now();
  const samples: { arrived: number; mb: number }[] = [];
  await until(
    () => {
      samples.push({ arrived: receiver.received.length, mb: residentMb(service) });
      return receiver.received.length >= EVENTS;
    },
    { withinMs: 800_000 },
  );
  const seconds = (performance.now() - startedAt) / 1000;

  const between = (from: number, to: number) =>
    median(
      samples.filter(({ arrived }) => arrived >= from * EVENTS && arrived <= to * EVENTS).map(({ mb }) => mb),
    );
  const [early, late] = [between(0.05, 0.25), between(0.75, 1)];
  const each = ((processorSeconds(service) - processorAtStart) / EVENTS) * 1000;
  console.info(
    `${Math.round(EVENTS / seconds)} deliveries a second, ${each.toFixed(2)} ms of processor time each; ` +
      `${Math.round(early)} MB early, ${Math.round(late)} MB late`,
  );
  expect(late - early).toBeLessThan(GROWTH_MB);
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  expect(ids.size).toBe(EVENTS);
  await sleep(1000);
  expect(receiver.received).toHaveLength(EVENTS);
  const [left] = await installation.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status <> 'succeeded' OR attempts <> 1`,
  );
  expect(left!.count).toBe(0);
});
