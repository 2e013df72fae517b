import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import { MessageUsers1819000000000 } from '../../migrations/1819000000000-message-users';
import { createDatabase } from '../support/database';
import { sql } from '../support/sql';

const { name } = MessageUsers1819000000000;
const MISTAKEN = '+ES.13491208655302741918';

let database: Awaited<ReturnType<typeof createDatabase>>;
let dataSource: DataSource;
let workspaceId: string;
beforeEach(async () => {
  database = await createDatabase();
  dataSource = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
  await goBack();
  workspaceId = randomUUID();
  await run(
    `INSERT INTO workspaces (id, name, time_zone, currency, created_at) VALUES ($1, 'A', 'UTC', 'EUR', now())`,
  );
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

const run = <Row>(text: string, ...values: unknown[]) =>
  sql<Row>(database.url, text, [workspaceId, ...values]);
const isApplied = async () =>
  (await sql(database.url, 'SELECT FROM migrations WHERE name = $1', [name])).length > 0;

async function goBack(): Promise<void> {
  while (await isApplied()) await dataSource.undoLastMigration();
}

/** As the former release adds one. */
async function addMessage(direction: 'inbound' | 'outbound', phone: string): Promise<string> {
  const id = randomUUID();
  await run(
    `INSERT INTO messages (workspace_id, mode, id, direction, channel, phone, type, status, created_at)
     VALUES ($1, 'live', $2, $3, 'whatsapp', $4, 'text', $5, now())`,
    id,
    direction,
    phone,
    direction === 'inbound' ? 'received' : 'queued',
  );
  return id;
}

const optOut = (phone: string) =>
  run(
    `INSERT INTO message_opt_outs (workspace_id, mode, phone, opted_out_at) VALUES ($1, 'live', $2, now())`,
    phone,
  );
const turnsOf = async (ids: string[]) => {
  const rows = await run<{ id: string; has_turn: boolean }>(
    'SELECT id, next_attempt_at IS NOT NULL AS has_turn FROM messages WHERE workspace_id = $1',
  );
  return ids.map((id) => rows.find((row) => row.id === id)!.has_turn);
};

test('ids that were taken for numbers become user ids, opt-outs included, and back', async () => {
  const ids = [await addMessage('inbound', MISTAKEN), await addMessage('inbound', '+34600123456')];
  await optOut(MISTAKEN);
  await optOut('+34600123456');
  await dataSource.runMigrations();
  const messages = await run<{ id: string }>(
    'SELECT id, phone, channel_user_id FROM messages WHERE workspace_id = $1',
  );
  const [mistaken, number] = ids.map((id) => messages.find((row) => row.id === id));
  expect(mistaken).toMatchObject({ phone: null, channel_user_id: MISTAKEN.slice(1) });
  expect(number).toMatchObject({ phone: '+34600123456', channel_user_id: null });
  expect(
    await run('SELECT user_id, opted_out_at IS NULL AS may FROM message_users WHERE workspace_id = $1'),
  ).toEqual([{ user_id: MISTAKEN.slice(1), may: false }]);
  const phones = () => run('SELECT phone FROM message_opt_outs WHERE workspace_id = $1 ORDER BY phone');
  expect(await phones()).toEqual([{ phone: '+34600123456' }]);

  await goBack();
  expect(await phones()).toEqual([{ phone: '+34600123456' }, { phone: MISTAKEN }]);
  expect(await run('SELECT phone FROM messages WHERE workspace_id = $1 ORDER BY phone')).toEqual([
    { phone: '+34600123456' },
    { phone: MISTAKEN },
  ]);
});

test('what an interrupted run has moved is not lost by the next', async () => {
  await optOut(MISTAKEN);
  await dataSource.runMigrations();
  await sql(database.url, 'DELETE FROM migrations WHERE name = $1', [name]);
  await dataSource.runMigrations();
  expect(
    await run('SELECT user_id FROM message_users WHERE workspace_id = $1 AND opted_out_at IS NOT NULL'),
  ).toEqual([{ user_id: MISTAKEN.slice(1) }]);
});

test('an instance of the former release goes on queueing, and each conversation has one turn', async () => {
  await dataSource.runMigrations();
  const ids = [
    await addMessage('outbound', '+34600123456'),
    await addMessage('outbound', '+34600123456'),
    await addMessage('outbound', '+34600999999'),
  ];
  expect(await turnsOf(ids)).toEqual([true, false, true]);
  await run(`UPDATE messages SET status = 'sent' WHERE workspace_id = $1 AND id = $2`, ids[0]);
  expect(await turnsOf(ids)).toEqual([true, true, true]);
});

test('going back fails what waits for someone without a number, and other conversations go on', async () => {
  await dataSource.runMigrations();
  const id = randomUUID();
  await run(
    `INSERT INTO messages (workspace_id, mode, id, direction, channel, channel_user_id, type, status, created_at)
     VALUES ($1, 'live', $2, 'outbound', 'whatsapp', 'ES.1', 'text', 'queued', now())`,
    id,
  );
  const other = await addMessage('outbound', '+34600123456');
  await goBack();
  expect(await run('SELECT status, phone FROM messages WHERE workspace_id = $1 ORDER BY phone')).toEqual([
    { status: 'queued', phone: '+34600123456' },
    { status: 'failed', phone: '+ES.1' },
  ]);
  expect(await turnsOf([other])).toEqual([true]);
});
