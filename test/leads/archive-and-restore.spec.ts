import { newId } from '../../src/kernel/ids';
import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list } from '../support/leads';
import { expectForbidden, expectInvalid, expectNotFound } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let lead: LeadBody;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  lead = await createLead(client, { name: 'Ana', tags: ['vip'], stage: 'confirmed' });
  clock.advance(60);
});

const archive = (id = lead.id) => client.delete(`/v1/leads/${id}`);
const restore = (id = lead.id, body?: unknown) => client.post(`/v1/leads/${id}/restore`, body);
const idsIn = async (archived?: string) =>
  (await list(client, archived ? { archived } : {})).body.data.map(({ id }: LeadBody) => id);

describe('archiving', () => {
  test('answers 200 with the lead, which keeps all but archivedAt and updatedAt', async () => {
    const answer = await archive();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...lead, archivedAt: clock.in(0), updatedAt: clock.in(0) });
  });

  test('an archived lead can still be read by its id', async () => {
    const { body } = await archive();
    const read = await client.get(`/v1/leads/${lead.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(body);
  });

  test('once more is the same 200, unchanged', async () => {
    const first = await archive();
    clock.advance(60);
    const second = await archive();
    expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text });
  });

  test('takes it out of lists, unless they ask for archived leads', async () => {
    const other = await createLead(client);
    await archive();
    expect(await idsIn()).toEqual([other.id]);
    expect(await idsIn('false')).toEqual([other.id]);
    expect(await idsIn('true')).toEqual([lead.id]);
    expect((await idsIn('all')).sort()).toEqual([lead.id, other.id].sort());
    expect((await list(client)).body.pagination.total).toBe(1);
  });

  test('leaves the address free to enquire again', async () => {
    await archive();
    expect((await createLead(client, { email: lead.email })).id).not.toBe(lead.id);
  });

  test('is refused to a key that may only read, and of a lead that is not there', async () => {
    const reader = await workspace.client('live', ['leads:read']);
    expectForbidden(await reader.delete(`/v1/leads/${lead.id}`));
    expectNotFound(await archive(newId('lead')));
    expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  });
});

describe('restoring', () => {
  test('answers 200 with the lead, which is in lists again and can be changed', async () => {
    await archive();
    clock.advance(60);
    const answer = await restore();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...lead, archivedAt: null, updatedAt: clock.in(0) });
    expect(await idsIn()).toEqual([lead.id]);
    expect(await idsIn('true')).toEqual([]);
    expect((await client.patch(`/v1/leads/${lead.id}`, { guests: 5 })).body.guests).toBe(5);
  });

  test('what is not archived stays as it is', async () => {
    const answer = await restore();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(lead);
  });

  test('once more changes nothing', async () => {
    await archive();
    const first = await restore();
    clock.advance(60);
    expect((await restore()).text).toBe(first.text);
  });

  test('takes an empty object as its body, and nothing in it', async () => {
    await archive();
    expectInvalid(await restore(lead.id, { archivedAt: null }), 'archivedAt');
    expect((await restore(lead.id, {})).body.archivedAt).toBeNull();
  });

  test('is refused to a key that may only read, and of a lead that is not there', async () => {
    await archive();
    const reader = await workspace.client('live', ['leads:read']);
    expectForbidden(await reader.post(`/v1/leads/${lead.id}/restore`));
    expectNotFound(await restore(newId('lead')));
    expect((await client.get(`/v1/leads/${lead.id}`)).body.archivedAt).not.toBeNull();
  });

  test('archiving again after a restore counts as a new one', async () => {
    await archive();
    await restore();
    clock.advance(60);
    expect((await archive()).body.archivedAt).toBe(clock.in(0));
  });
});
