import { ValidationFailed } from '../../src/kernel/errors';
import type { LeadChange, LeadCreation } from '../../src/modules/leads';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { until } from '../support/until';
import { expectRefused, HouseRules, withPolicies } from './support';

const rules = new HouseRules();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  const second = withPolicies(({ leads }) =>
    leads.add({
      name: 'second',
      beforeCreate: ({ fields }) => (fields.source === 'fair' ? { source: 'spring fair' } : undefined),
      beforeChange({ changes }) {
        if (changes.guests === 13)
          throw new ValidationFailed({ field: 'guests', message: 'brings bad luck' });
      },
    }),
  );
  gala = await startGala({ extensions: [rules.extension, second] });
  await HouseRules.createTable(gala.databaseUrl);
});
afterAll(() => gala.stop());
beforeEach(async () => {
  rules.forget();
  gala.logged.splice(0);
  await sql(gala.databaseUrl, 'DELETE FROM policy_notes');
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});

const notes = () => HouseRules.notes(gala.databaseUrl);
const typesOfEvents = async (): Promise<string[]> => {
  const { body } = await client.get('/v1/events');
  return body.data.map(({ type }: any) => type).filter((type: string) => type.startsWith('lead.'));
};
const logOf = (policy: string) =>
  gala.logged.map((line) => JSON.parse(line)).filter((line) => line.policy === `lead policy ${policy}`);

describe('creating a lead', () => {
  test('a policy gets the fields in their normal form, without those that are absent, and the caller', async () => {
    const seen: LeadCreation[] = [];
    rules.leads = { beforeCreate: (creation) => void seen.push(creation) };
    await createLead(client, { phone: '+34 600 12 34 56', name: null, tags: ['VIP', 'vip'] });
    expect(seen).toEqual([
      {
        ref: { workspaceId: workspace.id, mode: 'live' },
        caller: expect.objectContaining({ type: 'api_key', name: 'Test key', address: '127.0.0.1' }),
        fields: { email: 'ana@example.com', phone: '+34600123456', tags: ['VIP'] },
      },
    ]);
  });

  test('policies change fields in the order of their registration, and null takes one away', async () => {
    rules.leads = { beforeCreate: () => ({ source: 'fair', tags: ['Fair', 'fair'], phone: null }) };
    const lead = await createLead(client, { phone: '+34600123456', guests: 12 });
    expect(lead).toMatchObject({ source: 'spring fair', tags: ['Fair'], phone: null, guests: 12 });
    const { body } = await client.get('/v1/events');
    expect(body.data[0]).toMatchObject({ type: 'lead.created', data: lead });
    expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  });

  test('a refusal names its field, and leaves nothing of the lead nor of what the policy wrote', async () => {
    rules.leads = {
      async beforeCreate({ fields }) {
        await rules.note('asked');
        if (fields.email !== 'blocked@example.com') return;
        throw new ValidationFailed({ field: 'email', message: 'is blocked' });
      },
    };
    const refused = await client.post('/v1/leads', { email: 'blocked@example.com' });
    expectRefused(refused, 'email', 'is blocked');
    expect((await list(client)).body.data).toEqual([]);
    expect(await typesOfEvents()).toEqual([]);
    expect(await notes()).toEqual([]);
    await createLead(client);
    expect(await notes()).toEqual(['asked']);
  });

  test.each([
    [{ name: 'x'.repeat(201) }, 'name', 'must have at most 200 characters'],
    [{ email: 'nobody' }, 'email', 'must be an e-mail address'],
    [{ email: null }, 'email', 'must'],
    [{ source: 'a\0b' }, 'source', 'U+0000'],
    [{ tags: null }, 'tags', 'must be a list'],
    [{ tags: Array.from({ length: 51 }, (_, n) => `tag ${n}`) }, 'tags', 'at most 50'],
    [{ id: 'lead_01h455vb4pex5vsknk084sn02q' }, 'id', 'is not a known field here'],
  ])('what a policy returns is validated: %j', async (returned, field, message) => {
    rules.leads = { beforeCreate: () => returned as never };
    const { status, body } = await client.post('/v1/leads', { email: 'ana@example.com' });
    expect({ status, field: body.error.field }).toEqual({ status: 422, field });
    expect(body.error.details[0].message).toContain(message);
    expect(body.error.details[0].message).toContain('(set by the policy house rules)');
    expect((await list(client)).body.data).toEqual([]);
  });

  test('a policy that fails is named in the log, and the caller gets a 500 without internals', async () => {
    rules.leads = { beforeCreate: () => Promise.reject(new Error('the secret host is down')) };
    const { status, text, body } = await client.post('/v1/leads', { email: 'ana@example.com' });
    expect({ status, code: body.error.code }).toEqual({ status: 500, code: 'server_error' });
    expect(text).not.toContain('secret');
    expect(logOf('house rules')).toEqual([
      expect.objectContaining({ message: 'a policy failed', error: 'Error' }),
    ]);
    expect((await list(client)).body.data).toEqual([]);
  });

  test('a policy that is slow is named in the log while it runs', async () => {
    const isNamed = () => logOf('house rules').some(({ message }) => message.includes('still runs'));
    rules.leads = { beforeCreate: () => until(isNamed, 'the log to name the policy') };
    await createLead(client);
    expect(logOf('house rules').at(-1)).toMatchObject({
      message: 'a policy was slow',
      durationMs: expect.any(Number),
    });
  });

  test('a request that is repeated asks once', async () => {
    const asked = jest.fn();
    rules.leads = { beforeCreate: asked };
    const repeat = { headers: { 'Idempotency-Key': 'one' } };
    const first = await client.post('/v1/leads', { email: 'ana@example.com' }, repeat);
    expect((await client.post('/v1/leads', { email: 'ana@example.com' }, repeat)).body).toEqual(first.body);
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe('changing a lead', () => {
  test('a policy gets the lead as it is and the fields that get another value', async () => {
    const seen: LeadChange[] = [];
    rules.leads = { beforeChange: (change) => void seen.push(change) };
    const lead = await createLead(client, { name: 'Ana', guests: 10, tags: ['vip'] });
    const changes = { name: null, guests: 10, tags: ['VIP'], phone: '+34 600 123 456' };
    await client.patch(`/v1/leads/${lead.id}`, changes);
    expect(seen).toHaveLength(1);
    expect(JSON.parse(JSON.stringify(seen[0]!.lead))).toEqual(lead);
    expect(seen[0]).toMatchObject({ action: 'update', caller: { type: 'api_key' } });
    expect(seen[0]!.changes).toEqual({ name: null, tags: ['VIP'], phone: '+34600123456' });
  });

  test('a policy makes further changes, or takes one back', async () => {
    rules.leads = {
      beforeChange: ({ lead, changes }) =>
        changes.stage === 'confirmed' ? { tags: [...lead.tags, 'won'], guests: lead.guests } : undefined,
    };
    const lead = await createLead(client, { guests: 10, tags: ['vip'] });
    const { body } = await client.patch(`/v1/leads/${lead.id}`, { stage: 'confirmed', guests: 99 });
    expect(body).toMatchObject({ stage: 'confirmed', tags: ['vip', 'won'], guests: 10 });
    const updated = (await client.get('/v1/events?type=lead.updated')).body.data[0];
    expect(updated.previous).toEqual({
      stage: 'new_enquiry',
      outcome: 'open',
      tags: ['vip'],
      updatedAt: lead.updatedAt,
    });
  });

  test('a refusal changes nothing, nor does a change back to what was there', async () => {
    rules.leads = {
      async beforeChange({ lead, changes }) {
        await rules.note('asked');
        return changes.name === 'Ben' ? { name: lead.name } : undefined;
      },
    };
    const lead = await createLead(client, { name: 'Ana' });
    expectRefused(await client.patch(`/v1/leads/${lead.id}`, { guests: 13 }), 'guests', 'brings bad luck');
    expect(await notes()).toEqual([]);
    expect((await client.patch(`/v1/leads/${lead.id}`, { name: 'Ben' })).body).toEqual(lead);
    expect(await notes()).toEqual(['asked']);
    expect(await typesOfEvents()).toEqual(['lead.created']);
  });

  test('no policy is asked about what changes nothing or can’t be changed', async () => {
    const asked = jest.fn();
    const lead = await createLead(client, { guests: 10 });
    const archived = await createLead(client);
    await client.delete(`/v1/leads/${archived.id}`);
    rules.leads = { beforeChange: asked };
    await client.patch(`/v1/leads/${lead.id}`, {});
    await client.patch(`/v1/leads/${lead.id}`, { guests: 10, phone: null });
    await client.post(`/v1/leads/${lead.id}/restore`);
    await client.delete(`/v1/leads/${archived.id}`);
    expectInvalid(await client.patch(`/v1/leads/${archived.id}`, { guests: 2 }), 'archivedAt');
    const stale = { headers: { 'If-Match': '"9"' } };
    expectInvalid(await client.patch(`/v1/leads/${lead.id}`, { guests: 2 }, stale), 'If-Match');
    expect(asked).not.toHaveBeenCalled();
  });

  test('archiving and restoring can be refused', async () => {
    const refusing = { isOn: true };
    rules.leads = {
      beforeChange({ action, lead, changes }) {
        expect(changes).toEqual({});
        const field = action === 'archive' ? 'stage' : 'archivedAt';
        if (refusing.isOn) throw new ValidationFailed({ field, message: `no ${action} of ${lead.stage}` });
      },
    };
    const { id } = await createLead(client);
    expectRefused(await client.delete(`/v1/leads/${id}`), 'stage', 'no archive of new_enquiry');
    refusing.isOn = false;
    expect((await client.delete(`/v1/leads/${id}`)).body.archivedAt).not.toBeNull();
    refusing.isOn = true;
    expectRefused(await client.post(`/v1/leads/${id}/restore`), 'archivedAt', 'no restore of new_enquiry');
    expect((await client.get(`/v1/leads/${id}`)).body.archivedAt).not.toBeNull();
  });

  test('a policy that returns fields for archiving has a mistake', async () => {
    rules.leads = { beforeChange: () => ({ stage: 'lost' }) };
    const { id } = await createLead(client);
    expect((await client.delete(`/v1/leads/${id}`)).status).toBe(500);
    expect(logOf('house rules')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('a policy failed') }),
    ]);
  });

  test('the lead is locked while policies decide', async () => {
    const { id } = await createLead(client);
    let other!: Promise<unknown>;
    rules.leads = {
      async beforeChange({ changes }) {
        if (!changes.name) return;
        other = client.patch(`/v1/leads/${id}`, { guests: 7 });
        await until(isSomeoneWaiting, 'the other change to wait for the lock');
      },
    };
    expect((await client.patch(`/v1/leads/${id}`, { name: 'Ana' })).body).toMatchObject({ guests: null });
    await other;
    expect((await client.get(`/v1/leads/${id}`)).body).toMatchObject({ name: 'Ana', guests: 7 });
  });
});

async function isSomeoneWaiting(): Promise<boolean> {
  const waiting = await sql(
    gala.databaseUrl,
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

test('a workspace’s mode is the policy’s to tell apart', async () => {
  rules.leads = { beforeCreate: ({ ref }) => ({ source: ref.mode }) };
  expect(await createLead(client)).toMatchObject({ source: 'live' });
  expect(await createLead(await workspace.client('test'))).toMatchObject({ source: 'test' });
});

test('two policies of one name keep the service from starting', async () => {
  const twice = withPolicies(({ leads }) => leads.add({ name: 'house rules' }));
  const start = startGala({ databaseUrl: gala.databaseUrl, extensions: [rules.extension, twice] });
  await expect(start).rejects.toThrow('Two lead policies have the name house rules. Rename one of them.');
});
