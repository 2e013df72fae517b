import * as fc from 'fast-check';
import { Metrics } from '../../src/platform/health/metrics';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { Callbacks, newWamid, seconds, statusEntry, WhatsAppServer } from '../support/whatsapp-server';
import { conversation, leadWith } from './support';
import { connect } from './whatsapp-support';

const MAX_UPDATES = 1000;
const PHONE = '34600123456';

jest.setTimeout(120_000);

let whatsApp: WhatsAppServer;
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let callbacks: Callbacks;
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  gala = await startGala({ configuration: { whatsAppApiUrl: whatsApp.url } });
});
afterAll(async () => {
  await gala.stop();
  await whatsApp.stop();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client('live');
  callbacks = await connect(gala, workspace);
});

const textMessage = (body = 'Hi', extra: object = {}) => ({
  id: newWamid(),
  from: PHONE,
  timestamp: seconds(),
  type: 'text',
  text: { body },
  ...extra,
});
const stored = async (table: string) => {
  const [row] = await sql<{ count: number }>(
    gala.databaseUrl,
    `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = (SELECT id FROM workspaces ORDER BY created_at DESC LIMIT 1)`,
  );
  return row!.count;
};

describe('whatever a signed notification holds, it is never a 500', () => {
  /** Objects that can’t be made a number or a text of, among all other values. */
  const odd = fc.constantFrom<unknown>(
    { toString: 1, valueOf: 1 },
    { toString: null },
    [[[]]],
    1e308,
    -1,
    '',
    '\0',
  );
  const anything = fc.oneof(odd, fc.jsonValue({ maxDepth: 3 }));
  const message = fc.record(
    Object.fromEntries(
      [
        'id',
        'from',
        'from_user_id',
        'system',
        'timestamp',
        'type',
        'text',
        'location',
        'contacts',
        'interactive',
        'button',
        'order',
      ].map((name) => [
        name,
        name === 'type'
          ? fc.oneof(anything, fc.constantFrom('text', 'location', 'contacts', 'order', 'system'))
          : anything,
      ]),
    ),
    { requiredKeys: [] },
  );
  const sound = {
    id: fc.string({ minLength: 1, maxLength: 40 }),
    from: fc.constantFrom(undefined, PHONE, 'abc', '+1', '٣'),
    from_user_id: fc.oneof(anything, fc.constantFrom('ES.1', 'ES.2')),
  };
  const location = fc.record({ latitude: anything, longitude: anything, name: anything, address: anything });
  const likely = fc.record({
    ...sound,
    timestamp: anything,
    type: fc.constantFrom('location', 'contacts', 'text', 'image', 'hologram', 'system'),
    system: fc.record({ user_id: anything, previous_user_id: fc.oneof(anything, fc.constant('ES.2')) }),
    location,
    text: fc.record({ body: anything }),
    contacts: fc.array(fc.record({ name: anything, phones: fc.array(anything) })),
    image: fc.record({ id: anything, mime_type: anything, caption: anything }),
  });
  const status = fc.record({
    id: fc.oneof(anything, fc.constant('wamid.x')),
    status: fc.oneof(anything, fc.constantFrom('sent', 'failed', 'read')),
    timestamp: anything,
    recipient_id: fc.oneof(anything, fc.constant(PHONE)),
    recipient_user_id: fc.oneof(anything, fc.constant('ES.1')),
    biz_opaque_callback_data: anything,
    errors: fc.oneof(anything, fc.array(fc.record({ code: anything }))),
  });
  const contact = fc.record({
    wa_id: fc.oneof(anything, fc.constant(PHONE)),
    user_id: fc.oneof(anything, fc.constantFrom('ES.1', 'ES.2')),
    profile: fc.oneof(anything, fc.record({ name: anything, username: anything })),
  });

  test('as the whole body', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.json().map((text) => `{"entry":${text}}`),
        ),
        async (body) => {
          expect([200, 400]).toContain((await callbacks.send(Buffer.from(body))).status);
        },
      ),
    ));

  test('in a message, status or contact, and the sound messages beside it are kept', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(message, likely, anything)),
        fc.array(fc.oneof(status, anything)),
        fc.array(fc.oneof(contact, anything)),
        async (messages, statuses, contacts) => {
          const [first, last] = [textMessage('first'), textMessage('last')];
          const value = { messages: [first, ...messages, last], statuses, contacts };
          const answer = await callbacks.post(value);
          expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
          const found = await sql<{ provider_id: string }>(
            gala.databaseUrl,
            'SELECT provider_id FROM messages WHERE provider_id = ANY ($1)',
            [[first.id, last.id]],
          );
          expect(found).toHaveLength(2);
        },
      ),
      { numRuns: 150 },
    ));
});

test.each([
  ['timestamp', textMessage('Hi', { timestamp: { toString: 1, valueOf: 1 } }), 'Hi'],
  [
    'latitude',
    textMessage('', {
      type: 'location',
      location: { latitude: { toString: 1 }, longitude: 2, name: 'Retiro' },
    }),
    'A location: Retiro',
  ],
])('an object as the %s of a message is no number, and the message is kept', async (_, message, text) => {
  const lead = await leadWith(client, `+${PHONE}`);
  expect((await callbacks.post({ messages: [message] })).status).toBe(200);
  expect(await conversation(client, lead.id)).toMatchObject([{ text }]);
});

test('an object as the code of an error is no number', async () => {
  const errors = [{ code: { toString: 1, valueOf: 1 } }];
  expect((await callbacks.status(newWamid(), 'failed', { errors })).status).toBe(200);
});

test('every message finds the name of its sender', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => `346001234${10 + index}`);
  const contacts = numbers.map((number) => ({ wa_id: number, profile: { name: `Name ${number}` } }));
  const messages = numbers.map((from) => textMessage('Hi', { from }));
  expect((await callbacks.post({ contacts, messages })).status).toBe(200);
  const leads: { name: string; phone: string }[] = (await client.get('/v1/leads?limit=100')).body.data;
  expect(leads).toHaveLength(numbers.length);
  for (const { name, phone } of leads) expect(name).toBe(`Name ${phone.slice(1)}`);
});

test('more messages than are taken at once are left for the repetition, and none is lost or stored twice', async () => {
  const messages = Array.from({ length: 2 * MAX_UPDATES + 10 }, (_, index) => textMessage(`${index}`));
  const statuses = [statusEntry(newWamid(), 'read')];
  const bytes = Buffer.from(JSON.stringify(callbacks.envelope({ messages, statuses })));
  // A busy machine may take fewer at a time, since the work on one notification is limited in time, too.
  let before = 0;
  let answer = await callbacks.send(bytes);
  expect(answer.status).toBe(429);
  while (answer.status === 429) {
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    const count = await stored('messages');
    expect(count).toBeGreaterThan(before);
    expect(count).toBeLessThanOrEqual(before + MAX_UPDATES);
    before = count;
    answer = await callbacks.send(bytes);
  }
  expect(answer.status).toBe(200);
  expect((await callbacks.send(bytes)).status).toBe(200);
  expect(await stored('messages')).toBe(messages.length);
  expect(gala.logged.some((line) => line.includes('more updates than are taken at once'))).toBe(true);
});

test('statuses over the limit are dropped, and that is counted and logged', async () => {
  const statuses = Array.from({ length: MAX_UPDATES + 3 }, () => statusEntry(newWamid(), 'read'));
  expect([200, 429]).toContain((await callbacks.post({ statuses })).status);
  const metrics = await gala.app.get(Metrics, { strict: false }).render();
  expect(metrics).toMatch(/^gala_whatsapp_statuses_dropped_total 3$/m);
  expect(gala.logged.some((line) => line.includes('"statusesDropped":3'))).toBe(true);
});

test('an update that can’t be stored keeps no other from being stored, and comes again', async () => {
  const lead = await leadWith(client, `+${PHONE}`);
  const [before, broken, after] = [textMessage('before'), textMessage('broken'), textMessage('after')];
  const run = (text: string) => sql(gala.databaseUrl, text);
  await run(`CREATE FUNCTION refuse_message() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'not now'; END $$`);
  await run(`CREATE TRIGGER refuse_message BEFORE INSERT ON messages FOR EACH ROW
             WHEN (NEW.provider_id = '${broken.id}') EXECUTE FUNCTION refuse_message()`);
  const post = () => callbacks.post({ messages: [before, broken, after] });
  const texts = async () => (await conversation(client, lead.id)).map(({ text }) => text).sort();
  expect((await post()).status).toBe(500);
  expect(await texts()).toEqual(['after', 'before']);
  await run('DROP TRIGGER refuse_message ON messages');
  await run('DROP FUNCTION refuse_message');
  expect((await post()).status).toBe(200);
  expect(await texts()).toEqual(['after', 'before', 'broken']);
});

test('megabytes of empty lists are no notification', async () => {
  const bytes = Buffer.from(`{"entry":[${'[],'.repeat(1_000_000)}[]]}`);
  expect((await callbacks.send(bytes)).status).toBe(400);
});
