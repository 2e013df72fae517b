import { draft } from '../proposals/support';
import { addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala } from '../support/start-gala';
import { HouseRules } from './support';

const rules = new HouseRules();
let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ extensions: [rules.extension] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  rules.forget();
  client = await (await gala.createWorkspace()).client();
  await Promise.all([addField(client, 'room'), addField(client, 'budget', { type: 'integer' })]);
});

test('a policy changes the custom fields that it names, and sees those that are given', async () => {
  const seen: unknown[] = [];
  rules.leads = {
    beforeCreate({ fields }) {
      seen.push(fields.custom);
      return { custom: { budget: 100 } };
    },
    beforeChange({ lead, changes }) {
      seen.push([lead.custom, changes.custom]);
      return { custom: { budget: null } };
    },
  };
  const lead = await createLead(client, { custom: { room: 'Hall' } });
  expect(lead.custom).toEqual({ room: 'Hall', budget: 100 });
  const changed = await client.patch(`/v1/leads/${lead.id}`, { custom: { room: 'Garden', budget: 100 } });
  expect(changed.body.custom).toEqual({ room: 'Garden', budget: null });
  expect(seen).toEqual([{ room: 'Hall' }, [lead.custom, { room: 'Garden' }]]);
});

test('a value that no field takes is refused, and keeps no fact from happening', async () => {
  const lead = await createLead(client, { guests: 120 });
  rules.leads = { beforeChange: () => ({ custom: { budget: 'much' as unknown as number } }) };
  expectInvalid(await client.patch(`/v1/leads/${lead.id}`, { guests: 5 }), 'custom.budget');
  const { id } = await draft(client, { leadId: lead.id });
  expect((await client.post(`/v1/proposals/${id}/send`)).status).toBe(200);
  const { body } = await client.get(`/v1/leads/${lead.id}`);
  expect(body).toMatchObject({ stage: 'proposal_sent', custom: { room: null, budget: null } });
});
