import { startGala, type TestGala } from '../support/start-gala';
import type { Client } from '../support/http-client';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

test('a lead can be created and read back', async () => {
  const created = await client.post('/v1/leads', { email: 'ana@example.com' });
  expect(created.status).toBe(201);
  expect((await client.get(`/v1/leads/${created.body.id}`)).body).toEqual(created.body);
});
