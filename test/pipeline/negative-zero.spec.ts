import type { Client } from '../support/http-client';
import { createSpace } from '../support/calendar';
import { eventsOf } from '../support/events';
import { draft } from '../proposals/support';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client('test');
});
afterAll(() => gala.stop());

/** As JSON may write it. */
const SPELLINGS = ['-0', '-0.0', '-0e3', '-1e-999'];

describe.each(SPELLINGS)('nought that is written %s', (zero) => {
  test('is nought in every number of a proposal: sent again it changes nothing', async () => {
    const { id } = await draft(client);
    const path = `/v1/proposals/${id}`;
    const body = `{"lineItems": [{"description": "Gift", "unit": "flat", "unitAmount": ${zero}, "taxRate": ${zero}, "quantity": ${zero}}],
      "deposit": {"percent": ${zero}}}`;
    const first = await client.patch(path, body);
    expect(first.status).toBe(200);
    const again = await client.patch(path, body);
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(again.body).toEqual(first.body);
    await client.patch(path, `{"deposit": {"amount": ${zero}}}`);
    await client.patch(path, `{"deposit": {"amount": ${zero}}}`);
    expect((await eventsOf(gala, id)).map(({ type }) => type)).toEqual([
      'proposal.created',
      'proposal.updated',
      'proposal.updated',
    ]);
  });

  test('is nought in a space', async () => {
    const { id } = await createSpace(client, { setupMinutes: 0, clearingMinutes: 0 });
    const before = await client.get(`/v1/spaces/${id}`);
    const after = await client.patch(
      `/v1/spaces/${id}`,
      `{"setupMinutes": ${zero}, "clearingMinutes": ${zero}}`,
    );
    expect([after.status, after.headers.etag]).toEqual([200, before.headers.etag]);
  });
});
