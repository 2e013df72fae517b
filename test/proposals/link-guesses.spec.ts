import { startGala, type TestGala } from '../support/start-gala';
import { pathOf, sent, visitor } from './support';

const LIMIT = 20;

let gala: TestGala;
beforeAll(async () => {
  const rateLimits = { reads: 1000, writes: 1000, address: LIMIT };
  gala = await startGala({ configuration: { rateLimits } });
});
afterAll(() => gala.stop());

test('whoever guesses at links is told to wait, and a link that leads somewhere goes on to work', async () => {
  const client = await (await gala.createWorkspace()).client();
  const path = pathOf(await sent(client));
  const someone = visitor(gala.baseUrl);
  const guess = () => someone.get(`/proposals/${Math.random().toString(36).slice(2).padEnd(43, 'x')}`);
  for (let times = 0; times < LIMIT; times++) expect((await guess()).status).toBe(404);
  const refused = await guess();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await someone.get(path)).status).toBe(200);
  const accepted = await someone.submit(
    `${path}/accept`,
    { name: 'Ana Pérez', consent: 'yes' },
    { on: path },
  );
  expect(accepted.status).toBe(303);
});
