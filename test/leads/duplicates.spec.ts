import { newId } from '../../src/kernel/ids';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list } from '../support/leads';
import { expectInvalid, expectNotFound } from '../support/refusals';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import type { TestWorkspace } from '../support/start-gala';

let workspace: TestWorkspace;
let client: Client;
giveEachTestAWorkspace((given) => ({ workspace, client } = given));

const duplicates = async (id: string, query = ''): Promise<LeadBody[]> => {
  const { status, body } = await client.get(`/v1/leads/${id}/duplicates${query}`);
  expect(status).toBe(200);
  return body.data;
};

describe('onDuplicate', () => {
  const create = (fields: object) => client.post('/v1/leads', { onDuplicate: 'refuse', ...fields });

  test('is to create by default: the same address may enquire again', async () => {
    for (const onDuplicate of [undefined, null, 'create']) {
      expect((await create({ email: 'ana@example.com', onDuplicate })).status).toBe(201);
    }
    expect((await list(client)).body.pagination.total).toBe(3);
  });

  test('refuses a lead whose address or number another one has, and names it', async () => {
    const lead = await createLead(client, { phone: '+34600123456' });
    const byEmail = await create({ email: 'ANA@example.com' });
    expectInvalid(byEmail, 'email');
    expect(byEmail.body.error.message).toContain(lead.id);
    const byPhone = await create({ email: 'eva@example.com', phone: '+34 600 123 456' });
    expectInvalid(byPhone, 'phone');
    expect(byPhone.body.error.message).toContain(lead.id);
    const both = await create({ email: 'ana@example.com', phone: '+34600123456' });
    expect(both.body.error.details.map(({ field }: { field: string }) => field)).toEqual(['email', 'phone']);
    expect((await list(client)).body.data).toEqual([lead]);
  });

  test('lets any other lead be created, with its fields', async () => {
    const lead = await createLead(client, { phone: '+34600123456' });
    await client.delete(`/v1/leads/${lead.id}`);
    await createLead(await workspace.client('test'));
    const created = await create({
      email: 'ana@example.com',
      phone: '+34600123456',
      name: null,
      tags: ['vip', 'VIP'],
    });
    expect(created).toMatchObject({ status: 201, body: { tags: ['vip'], name: null } });
    expect(created.headers.location).toBe(`/v1/leads/${created.body.id}`);
  });

  test('lets one of many be created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create({ email: index % 2 ? 'ana@example.com' : `guest${index}@example.com`, phone: '+34600123456' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)]);
  });

  test.each(['skip', true])('%j is refused', async (onDuplicate) => {
    expectInvalid(await create({ email: 'ana@example.com', onDuplicate }), 'onDuplicate');
  });
});

describe('the duplicates of a lead', () => {
  test('share its address or its number; they are listed newest first, without the lead itself', async () => {
    const lead = await createLead(client, { phone: '+34600123456' });
    const byEmail = await createLead(client, { email: 'Ana@Example.com' });
    const byPhone = await createLead(client, { email: 'eva@example.com', phone: '+34600123456' });
    const both = await createLead(client, { phone: '+34600123456' });
    await createLead(client, { email: 'eva@example.com', phone: '+34600123457' });
    await createLead(await workspace.client('test'));
    expect(await duplicates(lead.id)).toEqual([both, byPhone, byEmail]);
    expect(await duplicates(byEmail.id)).toEqual([both, lead]);
  });

  test('leave archived ones out unless they are asked for; an archived lead has some too', async () => {
    const [lead, archived] = [await createLead(client), await createLead(client)];
    await client.delete(`/v1/leads/${archived.id}`);
    expect(await duplicates(lead.id)).toEqual([]);
    expect(await duplicates(lead.id, '?archived=all')).toMatchObject([{ id: archived.id }]);
    expect(await duplicates(lead.id, '?archived=true')).toMatchObject([{ id: archived.id }]);
    expect(await duplicates(archived.id)).toEqual([lead]);
  });

  test('are a list with pages and cursors', async () => {
    const leads: LeadBody[] = [];
    for (let count = 0; count < 6; count++) leads.push(await createLead(client));
    const path = `/v1/leads/${leads[0]!.id}/duplicates`;
    const first = (await client.get(`${path}?limit=2`)).body;
    expect(first.pagination).toMatchObject({ total: 5, pages: 3, hasNext: true, hasPrev: false });
    const rest = (await client.get(`${path}?limit=3&cursor=${first.pagination.nextCursor}`)).body;
    const ids = [...first.data, ...rest.data].map(({ id }: LeadBody) => id);
    expect(ids).toEqual(
      leads
        .slice(1)
        .map(({ id }) => id)
        .reverse(),
    );
    const other = `/v1/leads/${leads[1]!.id}/duplicates?cursor=${first.pagination.nextCursor}`;
    expectInvalid(await client.get(other), 'cursor');
  });

  test('of a lead that isn’t there aren’t either', async () => {
    expectNotFound(await client.get(`/v1/leads/${newId('lead')}/duplicates`));
    const theirs = await createLead(await workspace.client('test'));
    expectNotFound(await client.get(`/v1/leads/${theirs.id}/duplicates`));
  });
});
