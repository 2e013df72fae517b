import { causedBy } from '../../src/kernel/current-cause';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { CreateLead } from '../../src/modules/leads';
import { addStage } from '../support/stages';
import { createLead } from '../support/leads';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { until } from '../support/until';
import { storedJourney, storedStays, uuidOf } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
});
afterAll(() => gala.stop());

const staysOf = (id: string) => storedStays(gala.databaseUrl, id);
const journeyOf = (id: string) => storedJourney(gala.databaseUrl, id);
const updatedAt = ({ body }: { body: { updatedAt: string } }) => new Date(body.updatedAt);

test('a new lead has a journey and no ended stay', async () => {
  const client = await workspace.client();
  const lead = await createLead(client, { source: 'Fair' });
  expect(await staysOf(lead.id)).toEqual([]);
  expect(await journeyOf(lead.id)).toMatchObject({
    ...{ source: 'Fair', owner_id: null, is_archived: false, stage: 'new_enquiry', outcome: 'open', stay: 0 },
    ...{
      created_at: new Date(lead.createdAt),
      entered_at: new Date(lead.createdAt),
      won_at: null,
      lost_at: null,
    },
    ...{ visited: ['new_enquiry'], is_excluded: false },
  });
});

test('each move ends a stay, and coming back makes the former one no longer the last', async () => {
  const client = await workspace.client();
  const { id, createdAt } = await createLead(client);
  const contacted = updatedAt(await client.patch(`/v1/leads/${id}`, { stage: 'contacted' }));
  const back = updatedAt(await client.patch(`/v1/leads/${id}`, { stage: 'new_enquiry' }));
  const lost = updatedAt(await client.patch(`/v1/leads/${id}`, { stage: 'lost' }));
  expect(await journeyOf(id)).toMatchObject({ outcome: 'lost', lost_at: lost, won_at: null, stay: 3 });
  const reopened = updatedAt(await client.patch(`/v1/leads/${id}`, { stage: 'contacted' }));
  expect(await staysOf(id)).toEqual([
    {
      ...{ number: 0, stage: 'new_enquiry', entered_at: new Date(createdAt), left_at: contacted },
      ...{ to_stage: 'contacted', is_last: false },
    },
    {
      ...{ number: 1, stage: 'contacted', entered_at: contacted, left_at: back },
      ...{ to_stage: 'new_enquiry', is_last: false },
    },
    { number: 2, stage: 'new_enquiry', entered_at: back, left_at: lost, to_stage: 'lost', is_last: true },
    { number: 3, stage: 'lost', entered_at: lost, left_at: reopened, to_stage: 'contacted', is_last: true },
  ]);
  expect(await journeyOf(id)).toMatchObject({
    outcome: 'open',
    lost_at: null,
    entered_at: reopened,
    stay: 4,
  });
});

test('a won lead stays won at the time when it was first, while it is', async () => {
  const client = await workspace.client();
  const { id } = await createLead(client);
  const won = updatedAt(await client.patch(`/v1/leads/${id}`, { stage: 'confirmed' }));
  await client.patch(`/v1/leads/${id}`, { stage: 'completed' });
  expect(await journeyOf(id)).toMatchObject({ outcome: 'won', won_at: won });
});

test('an added stage counts by its outcome, and only the first open stage begins an enquiry', async () => {
  const client = await workspace.client();
  await addStage(client, 'signed', { outcome: 'won' });
  await addStage(client, 'tasting');
  const signed = await createLead(client, { stage: 'signed' });
  expect(await journeyOf(signed.id)).toMatchObject({ outcome: 'won', is_excluded: true });
  const tasting = await createLead(client, { stage: 'tasting' });
  expect(await journeyOf(tasting.id)).toMatchObject({ outcome: 'open', is_excluded: true });

  const keys = ['tasting', 'new_enquiry', 'contacted', 'visit_booked', 'proposal_sent', 'negotiation'];
  await client.request('PUT', '/v1/stages/order', {
    keys: [...keys, 'confirmed', 'completed', 'lost', 'signed'],
  });
  expect(await journeyOf((await createLead(client, { stage: 'tasting' })).id)).toMatchObject({
    is_excluded: false,
  });
  expect(await journeyOf((await createLead(client)).id)).toMatchObject({ is_excluded: true });
});

test('an imported lead is no enquiry that waits', async () => {
  const create = gala.app.get(CreateLead, { strict: false });
  const unitOfWork = gala.app.get(UnitOfWork, { strict: false });
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const created = await unitOfWork.run(() =>
    causedBy({ type: 'import', id: null }, () => create.execute(ref, { email: 'ana@example.com' })),
  );
  expect(await journeyOf(created.id)).toMatchObject({ stage: 'new_enquiry', is_excluded: true });
});

test('bulk writes record each move', async () => {
  const client = await workspace.client();
  const leads = [await createLead(client), await createLead(client), await createLead(client)];
  const items = leads.map(({ id }, index) => ({
    id,
    ...(index < 2 ? { stage: 'contacted' } : { guests: 5 }),
  }));
  await client.post('/v1/leads/bulk', { operation: 'update', items });
  const stays = await Promise.all(leads.map(({ id }) => staysOf(id)));
  expect(stays.map(({ length }) => length)).toEqual([1, 1, 0]);
});

test.each([
  ['change', `UPDATE leads SET stage = 'contacted' WHERE email = $1`],
  ['deletion', 'DELETE FROM leads WHERE email = $1'],
])('a %s of several leads locks their journeys in order', async (_, change) => {
  const client = await workspace.client();
  const email = `${workspace.id}@example.com`;
  const keys: string[] = [];
  for (let count = 0; count < 3; count++) keys.push(uuidOf((await createLead(client, { email })).id));
  // Stored in the opposite order.
  for (const key of keys.toSorted().reverse()) {
    await sql(gala.databaseUrl, 'UPDATE leads SET guests = 7 WHERE id = $1', [key]);
    await sql(gala.databaseUrl, 'UPDATE lead_journeys SET stay = stay WHERE lead_id = $1', [key]);
  }
  const [first, ...others] = keys.toSorted();
  await onConnection(gala.databaseUrl, async (holder) => {
    const lock = (ids: string[]) =>
      holder.query('SELECT FROM lead_journeys WHERE lead_id = ANY ($1) FOR NO KEY UPDATE NOWAIT', [ids]);
    await holder.query('BEGIN');
    await lock([first!]);
    const changed = sql(gala.databaseUrl, change, [email]);
    await until(async () => {
      const waiting = await sql(
        gala.databaseUrl,
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query = $1`,
        [change],
      );
      return waiting.length > 0;
    });
    await lock(others);
    await holder.query('COMMIT');
    await changed;
  });
});

test('what an earlier release or SQL changes is recorded too, at the time when it happens', async () => {
  const client = await workspace.client();
  const { id } = await createLead(client);
  await sql(gala.databaseUrl, `UPDATE leads SET stage = 'negotiation', archived_at = now() WHERE id = $1`, [
    uuidOf(id),
  ]);
  const [stay] = await staysOf(id);
  expect(stay).toMatchObject({ stage: 'new_enquiry', to_stage: 'negotiation' });
  expect(stay!.left_at.getTime()).toBeGreaterThanOrEqual(stay!.entered_at!.getTime());
  expect(await journeyOf(id)).toMatchObject({ stage: 'negotiation', is_archived: true });
  await sql(gala.databaseUrl, 'DELETE FROM leads WHERE id = $1', [uuidOf(id)]);
  expect(await journeyOf(id)).toBeUndefined();
  expect(await staysOf(id)).toEqual([]);
});
