import { toUuid } from '../../src/kernel/ids';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { Installation } from './support';

jest.setTimeout(600_000);

const UPSERTS = 1000;
const ADDRESSES = 50;

let installation: Installation;
let clients: Client[];
beforeAll(async () => {
  installation = await Installation.create();
  const start = (): Promise<ServiceProcess> => installation.startService();
  const services = await Promise.all([start(), start()]);
  clients = services.map(({ baseUrl }) => new Client(baseUrl, installation.client.key));
});
afterAll(() => installation.remove());
beforeEach(() => installation.sql('DELETE FROM leads'));

const of = (index: number) => clients[index % clients.length]!;
const emailOf = (index: number) => {
  const email = `guest${index % ADDRESSES}@example.com`;
  return index % 3 ? email : email.toUpperCase();
};

async function counts() {
  const [row] = await installation.sql<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM leads) AS leads,
       (SELECT count(DISTINCT lower(email))::int FROM leads) AS addresses,
       (SELECT sum(revision)::int FROM leads) AS writes,
       (SELECT count(*)::int FROM events WHERE workspace_id = $1 AND data->>'id' LIKE 'lead_%') AS events`,
    [toUuid(installation.workspace.id)],
  );
  return row!;
}

test(`${UPSERTS} upserts at once over ${ADDRESSES} addresses on two instances make ${ADDRESSES} leads`, async () => {
  const before = (await counts()).events!;
  const answers = await Promise.all(
    Array.from({ length: UPSERTS }, (_, index) =>
      of(index).post('/v1/leads/upsert', { matchBy: 'email', email: emailOf(index), name: `Guest ${index}` }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(ADDRESSES);
  expect(statuses.filter((status) => status === 200)).toHaveLength(UPSERTS - ADDRESSES);
  // Each name differs, so that each upsert is a write with an event.
  const { events, ...stored } = await counts();
  expect(stored).toEqual({ leads: ADDRESSES, addresses: ADDRESSES, writes: UPSERTS });
  expect(events! - before).toBe(UPSERTS);
});

test('batches and single requests, by other fields and in other orders, all end, and make one lead of each', async () => {
  const guest = (number: number) => ({
    email: `guest${number}@example.com`,
    phone: `+346000000${String(number).padStart(2, '0')}`,
    externalId: `crm-${number}`,
  });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => {
      const matchBy = ['email', 'phone', 'externalId'][index % 3]!;
      if (index % 2) {
        return of(index).post('/v1/leads/upsert', {
          matchBy,
          ...guest(index % ADDRESSES),
          source: `${index}`,
        });
      }
      const numbers = Array.from({ length: ADDRESSES }, (_, number) => (number * 7 + index) % ADDRESSES);
      const items = numbers.map((number) => ({ ...guest(number), source: `batch ${index}` }));
      return of(index).post('/v1/leads/bulk', { operation: 'upsert', matchBy, items });
    }),
  );
  expect(answers.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([]);
  expect(answers.flatMap(({ body }) => (body.failed ? body.results : []))).toEqual([]);
  expect(await counts()).toMatchObject({ leads: ADDRESSES, addresses: ADDRESSES });
});
