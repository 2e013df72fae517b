import { toUuid } from '../../src/kernel/ids';
import { FairTurns, type Turn } from '../../src/platform/http/fair-turns';
import { connect } from '../messages/whatsapp-support';
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
