import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/gala-process';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { stagesOf } from '../support/stages';
import { startGala, type TestGala } from '../support/start-gala';

const EIGHT = [
  ...['new_enquiry', 'contacted', 'visit_booked', 'proposal_sent', 'negotiation', 'confirmed', 'completed'],
  'lost',
];

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
  const script = join(ROOT, 'scripts/reshape-workspace.mjs');
  await promisify(execFile)(process.execPath, [script, gala.baseUrl, client.key!]);
});
afterAll(() => gala.stop());

test('its stages are renamed, hidden, reordered and added to', async () => {
  const stages = await stagesOf(client);
  expect(stages).toHaveLength(11);
  expect(stages.map(({ key }) => key).filter((key) => EIGHT.includes(key))).not.toEqual(EIGHT);
  expect(stages.filter(({ isHidden }) => isHidden)).not.toEqual([]);
});

test('clients that know the eight stages alone see no difference', async () => {
  const lead = await createLead(client);
  expect(lead.stage).toBe('new_enquiry');
  for (const from of EIGHT) {
    for (const stage of EIGHT) {
      await client.patch(`/v1/leads/${lead.id}`, { stage: from });
      expect((await client.patch(`/v1/leads/${lead.id}`, { stage })).body.stage).toBe(stage);
    }
  }
  for (const stage of EIGHT) {
    const created = await createLead(client, { stage });
    expect(created.stage).toBe(stage);
    expect((await list(client, { stage })).body.data.map(({ id }: { id: string }) => id)).toContain(
      created.id,
    );
  }
  expectInvalid(await client.post('/v1/leads', { email: 'ana@example.com', stage: 'won' }), 'stage');
  expectInvalid(await list(client, { stage: 'won' }), 'stage');
});
