import { CreateLead } from '../../src/modules/leads';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { eventsOf } from '../support/events';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const patch = (lead: { id: string }, fields: object) => client.patch(`/v1/leads/${lead.id}`, fields);

test('a lead keeps its id in another system, exactly as it was written', async () => {
  const lead = await createLead(client, { externalId: 'Crm 4711/é' });
  expect(lead.externalId).toBe('Crm 4711/é');
  expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  expect((await list(client, { externalId: 'Crm 4711/é' })).body.data).toEqual([lead]);
  for (const other of ['crm 4711/é', 'Crm 4711/e\u0301', 'Crm 4711']) {
    expect((await list(client, { externalId: other })).body.data).toEqual([]);
    await createLead(client, { externalId: other });
  }
  const changed = await patch(lead, { externalId: 'crm-1' });
  expect(changed.body).toMatchObject({ externalId: 'crm-1' });
  expect((await eventsOf(gala, lead.id)).at(-1)).toMatchObject({
    type: 'lead.updated',
    data: { externalId: 'crm-1' },
    previous: { externalId: 'Crm 4711/é' },
  });
  expect((await patch(lead, { externalId: null })).body.externalId).toBeNull();
});

test.each([[''], [' '], ['x'.repeat(256)], [4711], ['a\u0000b']])('%j is refused', async (externalId) => {
  expectInvalid(await client.post('/v1/leads', { email: 'ana@example.com', externalId }), 'externalId');
});

test('255 characters are kept', async () => {
  const externalId = '😀'.repeat(255);
  expect(await createLead(client, { externalId })).toMatchObject({ externalId });
});

test('no other lead gets it, and the refusal names the lead that has it', async () => {
  const [lead, other] = [await createLead(client, { externalId: 'one' }), await createLead(client)];
  const refusals = [
    await client.post('/v1/leads', { email: 'eva@example.com', externalId: 'one' }),
    await patch(other, { externalId: 'one', name: 'Eva' }),
  ];
  for (const refusal of refusals) {
    expectInvalid(refusal, 'externalId');
    expect(refusal.body.error.message).toContain(lead.id);
  }
  expect((await client.get(`/v1/leads/${other.id}`)).body).toEqual(other);
  expect((await patch(lead, { externalId: 'one' })).body).toEqual(lead);
});

test('an archived lead keeps it; one that loses it leaves it to others', async () => {
  const lead = await createLead(client, { externalId: 'archived' });
  await client.delete(`/v1/leads/${lead.id}`);
  expectInvalid(
    await client.post('/v1/leads', { email: 'eva@example.com', externalId: 'archived' }),
    'externalId',
  );
  await client.post(`/v1/leads/${lead.id}/restore`);
  await patch(lead, { externalId: null });
  await createLead(client, { externalId: 'archived' });
});

test('each workspace and each mode has its own', async () => {
  await createLead(client, { externalId: 'mine' });
  await createLead(await workspace.client('test'), { externalId: 'mine' });
  await createLead(await (await gala.createWorkspace()).client(), { externalId: 'mine' });
});

test('of many leads that get it at once, one does', async () => {
  const creations = Array.from({ length: 10 }, (_, index) =>
    client.post('/v1/leads', { email: `guest${index}@example.com`, externalId: 'race' }),
  );
  const others = await Promise.all(Array.from({ length: 10 }, () => createLead(client)));
  const changes = others.map((lead) => patch(lead, { externalId: 'race' }));
  const answers = await Promise.all([...creations, ...changes]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status < 300)).toHaveLength(1);
  for (const answer of answers) if (answer.status >= 300) expectInvalid(answer, 'externalId');
  expect((await list(client, { externalId: 'race', archived: 'all' })).body.data).toHaveLength(1);
});

test('another team’s unit of work goes on after the refusal', async () => {
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const createUseCase = gala.app.get(CreateLead, { strict: false });
  await createLead(client, { externalId: 'theirs' });
  const lead = await gala.app.get(UnitOfWork, { strict: false }).run(async () => {
    const refused = createUseCase.execute(ref, { email: 'eva@example.com', externalId: 'theirs' });
    await expect(refused).rejects.toMatchObject({ details: [{ field: 'externalId' }] });
    return createUseCase.execute(ref, { email: 'eva@example.com' });
  });
  expect((await client.get(`/v1/leads/${lead.id}`)).status).toBe(200);
});
