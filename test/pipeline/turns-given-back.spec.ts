import { toUuid } from '../../src/kernel/ids';
import { FairTurns, type Turn } from '../../src/platform/http/fair-turns';
import { connect } from '../messages/whatsapp-support';
import type { Fields } from '../support/page-client';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { eventually } from '../support/until';
import { WhatsAppServer } from '../support/whatsapp-server';

let whatsApp: WhatsAppServer;
let gala: TestGala;
let workspace: TestWorkspace;
/** The turns that requests hold now. */
let held = 0;
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  gala = await startGala({ configuration: { whatsAppApiUrl: whatsApp.url } });
  workspace = await gala.createWorkspace();
  const turns = gala.app.get(FairTurns);
  const enter = turns.enter.bind(turns);
  const hold = (turn: Turn): Turn => {
    held++;
    return { leave: () => (held--, turn.leave()) };
  };
  turns.enter = (...request) => {
    const turn = enter(...request);
    return turn instanceof Promise ? turn.then(hold) : hold(turn);
  };
});
afterAll(async () => {
  await gala.stop();
  await whatsApp.stop();
});
beforeEach(async () => {
  await eventually(() => expect(held).toBe(0));
});

const waiting = () =>
  sql(
    gala.databaseUrl,
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

/** Has a request wait for a table, and resolves to the turns that are held meanwhile, and its status. */
async function heldWhileWaiting(
  table: string,
  request: () => Promise<{ status: number }>,
): Promise<{ turns: number; status: number }> {
  return onConnection(gala.databaseUrl, async (connection) => {
    await connection.query('BEGIN');
    await connection.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const answer = request();
    await eventually(async () => expect(await waiting()).not.toEqual([]));
    const turns = held;
    await connection.query('COMMIT');
    return { turns, status: (await answer).status };
  });
}

test('availability waits without a turn', async () => {
  const client = await workspace.client();
  await client.post('/v1/spaces', { name: 'Garden' });
  const read = () => client.get('/v1/availability?from=2027-01-01&to=2027-12-31');
  expect(await heldWhileWaiting('calendar_events', read)).toEqual({ turns: 0, status: 200 });
});

test('a notification of WhatsApp waits without a turn', async () => {
  const callbacks = await connect(gala, workspace);
  const notify = () => callbacks.userMessage('ES.1', { type: 'text', text: { body: 'Hello' } });
  expect(await heldWhileWaiting('messages', notify)).toEqual({ turns: 0, status: 200 });
});

test('a changed assignment waits for other instances without a turn', async () => {
  const browser = await workspace.browser();
  const page = `/settings/${workspace.id}/live/assignment`;
  const policies = () =>
    sql(gala.databaseUrl, 'SELECT policy FROM lead_assignments WHERE workspace_id = $1', [
      toUuid(workspace.id),
    ]);
  let isAnswered = false;
  const answer = browser.submit(page, { policy: 'none' }).finally(() => (isAnswered = true));
  await eventually(async () => expect(await policies()).toEqual([{ policy: 'none' }]));
  await eventually(() => expect(held).toBe(0));
  expect(isAnswered).toBe(false);
  expect((await answer).status).toBe(303);
});

test('changed custom fields wait for other instances without a turn', async () => {
  const [client, browser] = [await workspace.client(), await workspace.browser()];
  const page = `/settings/${workspace.id}/live/fields`;
  const submit = (action: string, fields: Fields = {}) =>
    browser.submit(`${page}${action}`, fields, { on: page });
  const { body } = await client.post('/v1/lead-fields', { key: 'room', label: 'Room', type: 'text' });
  const path = `/v1/lead-fields/${body.id}`;
  const changes: [() => Promise<{ status: number }>, number][] = [
    [() => client.post('/v1/lead-fields', { key: 'menu', label: 'Menu', type: 'text' }), 201],
    [() => client.patch(path, { label: 'Hall' }), 200],
    [() => client.delete(path), 200],
    [() => client.post(`${path}/restore`), 200],
    [() => submit('', { label: 'Guests', type: 'integer' }), 303],
    [() => submit(`/${body.id}/edit`, { label: 'Room' }), 303],
    [() => submit(`/${body.id}/move`, { to: 'down' }), 303],
    [() => submit(`/${body.id}/archive`), 303],
    [() => submit(`/${body.id}/restore`), 303],
    [() => submit('/copy'), 303],
  ];
  const changed = () =>
    sql(
      gala.databaseUrl,
      `SELECT count(*) FROM audit_log WHERE workspace_id = $1 AND action LIKE 'lead_field.%'`,
      [toUuid(workspace.id)],
    );
  for (const [change, status] of changes) {
    const before = await changed();
    let isAnswered = false;
    const answer = change().finally(() => (isAnswered = true));
    await eventually(async () => expect(await changed()).not.toEqual(before));
    await eventually(() => expect(held).toBe(0));
    expect(isAnswered).toBe(false);
    expect((await answer).status).toBe(status);
  }
});
