import { Forbidden, ValidationFailed } from '../../src/kernel/errors';
import type { Answer, Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { HouseRules } from './support';

const rules = new HouseRules();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ extensions: [rules.extension] });
  await HouseRules.createTable(gala.databaseUrl);
});
afterAll(() => gala.stop());
beforeEach(async () => {
  rules.forget();
  await sql(gala.databaseUrl, 'DELETE FROM policy_notes');
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});

const bulk = (operation: string, items: object[], options: object = {}): Promise<Answer> =>
  client.post('/v1/leads/bulk', { operation, items, ...options });
const notes = () => HouseRules.notes(gala.databaseUrl);

test('each new lead of a batch is decided on, and one that is refused takes back what its policy wrote', async () => {
  rules.leads = {
    async beforeCreate({ fields }) {
      await rules.note(fields.email);
      if (fields.guests === 13) throw new ValidationFailed({ field: 'guests', message: 'brings bad luck' });
      if (fields.guests === 14) throw new Forbidden('Not in June.');
      return { source: `for ${fields.email}` };
    },
  };
  const answer = await bulk('create', [
    { email: 'a@example.com' },
    { email: 'b@example.com', guests: 13 },
    { email: 'c@example.com', guests: 14 },
    { email: 'd@example.com' },
  ]);
  expect(answer.body.results).toMatchObject([
    { status: 'created', lead: { source: 'for a@example.com' } },
    { status: 'failed', error: { field: 'guests' } },
    { status: 'failed', error: { field: '', message: 'Not in June.' } },
    { status: 'created', lead: { source: 'for d@example.com' } },
  ]);
  expect((await notes()).sort()).toEqual(['a@example.com', 'd@example.com']);
  expect((await list(client)).body.pagination.total).toBe(2);
});

test('a policy finds what earlier items have stored', async () => {
  const seen: number[] = [];
  const look = async () => void seen.push(await rules.countLeads(workspace.id));
  rules.leads = { beforeCreate: look, beforeChange: look };
  await bulk('create', [
    { email: 'a@example.com' },
    { email: 'b@example.com', guests: 0 },
    { email: 'c@example.com' },
  ]);
  await bulk('upsert', [{ email: 'a@example.com', guests: 1 }, { email: 'd@example.com' }], {
    matchBy: 'email',
  });
  expect(seen).toEqual([0, 1, 2, 2]);
});

test('each change of a batch is decided on, upserts too, and one that is refused leaves the lead for later items', async () => {
  const lead = await createLead(client, { externalId: 'one' });
  rules.leads = {
    async beforeChange({ changes, action }) {
      expect(action).toBe('update');
      await rules.note(Object.keys(changes).join());
      if (changes.guests === 13) throw new ValidationFailed({ field: 'guests', message: 'brings bad luck' });
      return { source: 'changed' };
    },
  };
  const updated = await bulk('update', [
    { id: lead.id, guests: 13 },
    { id: lead.id, guests: 12 },
  ]);
  expect(updated.body.results).toMatchObject([
    { status: 'failed' },
    { lead: { guests: 12, source: 'changed' } },
  ]);
  const upserted = await client.post('/v1/leads/upsert', {
    matchBy: 'externalId',
    externalId: 'one',
    guests: 13,
  });
  expect(upserted.status).toBe(422);
  expect(await notes()).toEqual(['guests']);
});

test('atomic takes back what the policies of all items wrote', async () => {
  rules.leads = {
    async beforeCreate({ fields }) {
      await rules.note(fields.email);
      if (fields.guests === 13) throw new ValidationFailed({ field: 'guests', message: 'brings bad luck' });
    },
  };
  const items = [{ email: 'a@example.com' }, { email: 'b@example.com', guests: 13 }];
  expect((await bulk('create', items, { atomic: true })).body.error.field).toBe('items[1].guests');
  expect(await notes()).toEqual([]);
  expect((await list(client)).body.pagination.total).toBe(0);
});

test('an external id that a policy sets, and another lead has, fails that item alone', async () => {
  await createLead(client, { externalId: 'one' });
  rules.leads = { beforeCreate: ({ fields }) => (fields.guests ? { externalId: 'one' } : undefined) };
  const answer = await bulk('create', [
    { email: 'a@example.com' },
    { email: 'b@example.com', guests: 1 },
    { email: 'c@example.com' },
  ]);
  expect(answer.body.results).toMatchObject([
    { status: 'created' },
    { status: 'failed', error: { field: 'externalId' } },
    { status: 'created' },
  ]);
});

test('a policy that fails undoes the batch', async () => {
  rules.leads = {
    beforeCreate({ fields }) {
      if (fields.guests === 13) throw new Error('broken');
    },
  };
  const answer = await bulk('create', [{ email: 'a@example.com' }, { email: 'b@example.com', guests: 13 }]);
  expect(answer).toMatchObject({ status: 500, body: { error: { code: 'server_error' } } });
  expect((await list(client)).body.pagination.total).toBe(0);
});

test('a single upsert is refused too if a policy sets an external id that another lead has', async () => {
  await createLead(client, { externalId: 'taken' });
  rules.leads = { beforeCreate: () => ({ externalId: 'taken' }) };
  const given = { matchBy: 'email', email: 'eva@example.com' };
  expectInvalid(await client.post('/v1/leads/upsert', given), 'externalId');
  expect((await list(client)).body.pagination.total).toBe(1);
});
