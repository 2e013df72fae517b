import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR } from '../../src/kernel/actor';
import { Clock } from '../../src/kernel/clock';
import { type MessageId, newId, toUuid } from '../../src/kernel/ids';
import { ManageChannel } from '../../src/modules/messages';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { expectRefusal } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { dumpTables } from '../support/table-dump';
import { type Callbacks, CREDENTIALS, type Reply, WhatsAppServer } from '../support/whatsapp-server';
import { leadWith, message, type MessageBody, send, withStatus } from './support';
import { connect, leadWhoWrote } from './whatsapp-support';

const METRICS_TOKEN = 'a-token-for-the-metrics-of-this-test';
const DAY = 24 * 3600;

let whatsApp: WhatsAppServer;
let gala: TestGala;
let clock: FakeClock;
let workspace: TestWorkspace;
let client: Client;
let callbacks: Callbacks;
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  clock = new FakeClock(new Date().toISOString());
  gala = await startGala({
    configuration: { whatsAppApiUrl: whatsApp.url, metrics: { token: METRICS_TOKEN } },
    overrides: [{ provide: Clock, useValue: clock }],
  });
  gala.app.get(BackgroundJobs).start();
});
afterAll(async () => {
  await gala.stop();
  await whatsApp.stop();
});
beforeEach(async () => {
  whatsApp.forget();
  workspace = await gala.createWorkspace();
  client = await workspace.client('live');
  callbacks = await connect(gala, workspace);
});
afterEach(() => expect(whatsApp.faults).toEqual([]));

/** Long enough for the dispatcher to have looked again. */
const aLook = () => sleep(1200);

/** Sends one, and returns it when the provider was asked. */
async function attempt(reply: Reply): Promise<MessageBody> {
  whatsApp.reply = () => reply;
  const lead = await leadWhoWrote(client, callbacks, { at: clock.now() });
  const { body } = await send(client, lead.id, 'The garden is free');
  await whatsApp.asked(1);
  return body;
}

/** Sends one for each reply, to numbers of their own, and returns them by the reply’s place. */
async function attemptEach(replies: Reply[]): Promise<MessageBody[]> {
  const phones = replies.map((_, index) => `+3460000000${index}`);
  whatsApp.reply = ({ to }) => replies[phones.indexOf(to)]!;
  const sent: MessageBody[] = [];
  for (const phone of phones) {
    const lead = await leadWhoWrote(client, callbacks, { phone, at: clock.now() });
    sent.push((await send(client, lead.id, 'The garden is free')).body);
  }
  return sent;
}

/** Waits until the message has a claim, and another one than that. */
async function claimOf(id: MessageId, before?: string): Promise<string> {
  for (let tries = 0; tries < 400; tries++) {
    const [row] = await sql<{ claim: string | null }>(
      gala.databaseUrl,
      'SELECT claim FROM messages WHERE id = $1',
      [toUuid(id)],
    );
    if (row!.claim && row!.claim !== before) return row!.claim;
    await sleep(25);
  }
  throw new Error('The message was not claimed.');
}

test('text goes out once, in the provider’s form, and reports take it further', async () => {
  const { id } = await attempt('take');
  const sent = await withStatus(client, id, 'sent');
  expect(sent).toMatchObject({ channel: 'whatsapp', phone: '+34600123456', text: 'The garden is free' });
  const [{ wamid, body }] = (await whatsApp.took(1)) as [any];
  expect(body).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '+34600123456',
    biz_opaque_callback_data: id,
    type: 'text',
    text: { preview_url: false, body: 'The garden is free' },
  });
  await callbacks.status(wamid, 'delivered');
  expect((await client.get(`/v1/messages/${id}`)).body).toMatchObject({ status: 'delivered', readAt: null });
  await callbacks.status(wamid, 'read');
  expect((await client.get(`/v1/messages/${id}`)).body.status).toBe('read');
  expect(whatsApp.attempts).toBe(1);
});

test('templates of every sendable kind go out; others, and unknown ones, are refused before', async () => {
  const body = (text: string) => ({ type: 'BODY', text });
  const base = { language: 'en', status: 'APPROVED' };
  whatsApp.templates = [
    { ...base, name: 'plain', components: [body('Welcome!')] },
    {
      ...base,
      name: 'numbered',
      components: [{ type: 'HEADER', format: 'TEXT', text: 'Dear {{1}}' }, body('On {{2}} at {{1}}')],
    },
    { ...base, name: 'named', components: [body('Hi {{first_name}}, see you on {{day}}, {{first_name}}')] },
    { ...base, name: 'picture', components: [{ type: 'HEADER', format: 'IMAGE' }, body('Look')] },
    { ...base, name: 'waiting', status: 'PENDING', components: [body('Soon')] },
  ];
  await connect(gala, workspace);
  const { id: leadId } = await leadWith(client, '+34600123456');
  const use = (name: string, ...variables: string[]) =>
    client.post('/v1/messages', { leadId, template: { name, language: 'en', variables } });
  for (const [name, ...variables] of [
    ['plain'],
    ['numbered', 'Ana', '12', 'May'],
    ['named', 'Ana', 'Friday'],
  ]) {
    expect((await use(name!, ...variables)).status).toBe(201);
  }
  const [plain, numbered, named] = (await whatsApp.took(3)).map((each) => each.body.template);
  expect(plain).toEqual({ name: 'plain', language: { code: 'en' } });
  expect(numbered.components).toEqual([
    { type: 'header', parameters: [{ type: 'text', text: 'Ana' }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: '12' },
        { type: 'text', text: 'May' },
      ],
    },
  ]);
  expect(named.components[0].parameters).toEqual([
    { type: 'text', parameter_name: 'first_name', text: 'Ana' },
    { type: 'text', parameter_name: 'day', text: 'Friday' },
  ]);
  for (const name of ['picture', 'waiting', 'nothing']) {
    expectRefusal(await use(name), 422, { field: 'template.name' });
  }
});

test('free text is taken within 24 hours of the lead’s last message only', async () => {
  const stranger = await leadWith(client, '+34600999999');
  expectRefusal(await send(client, stranger.id), 422, { field: 'text' });
  const lead = await leadWhoWrote(client, callbacks, { at: clock.now() });
  expect((await send(client, lead.id)).status).toBe(201);
  await whatsApp.took(1);
  clock.advance(DAY + 1);
  expectRefusal(await send(client, lead.id), 422, { field: 'text' });
});

test('what is refused or in doubt fails with a reason, and is not sent again', async () => {
  const cases: [Reply, object][] = [
    [{ status: 400, code: 131026 }, { code: 'undeliverable' }],
    [{ status: 400, code: 131047 }, { code: 'window_closed' }],
    [{ status: 404, code: 132001 }, { code: 'template_missing' }],
    [{ status: 401, code: 190 }, { code: 'not_authorized' }],
    [
      { status: 400, code: 199999 },
      { code: 'refused', message: 'WhatsApp refused the message. (WhatsApp 199999)' },
    ],
    ['take and hang up', { code: 'unconfirmed' }],
    ['hang up', { code: 'unconfirmed' }],
    ['take and answer nonsense', { code: 'unconfirmed' }],
    ['bad gateway', { code: 'unconfirmed' }],
  ];
  const sent = await attemptEach(cases.map(([reply]) => reply));
  for (const [index, { id }] of sent.entries()) {
    expect(await withStatus(client, id, 'failed')).toMatchObject({ error: cases[index]![1], sentAt: null });
  }
  clock.advance(3600);
  await aLook();
  expect(whatsApp.attempts).toBe(cases.length);
  expect(gala.logged.join()).not.toMatch(/6000000|garden|EAAJB|wamid/);
});

test('an answer that never comes, or never ends, leaves the message in doubt in bounded time', async () => {
  const sent = await attemptEach(['take and hang', 'take and answer without end']);
  for (const { id } of sent) {
    const failed = await message(client, id, ({ status }) => status === 'failed', 60_000);
    expect(failed).toMatchObject({ error: { code: 'unconfirmed' } });
  }
  expect(whatsApp.attempts).toBe(2);
}, 90_000);

test('a report that overtakes the answer is not undone by it', async () => {
  whatsApp.reportBefore = (wamid, { biz_opaque_callback_data }) =>
    callbacks.status(wamid, 'delivered', { biz_opaque_callback_data });
  const { id } = await attempt('take and report before');
  await withStatus(client, id, 'delivered');
  await aLook();
  expect((await client.get(`/v1/messages/${id}`)).body).toMatchObject({ status: 'delivered', error: null });
  expect(whatsApp.attempts).toBe(1);
});

test('attempts are counted by their outcome', async () => {
  const attempts = async (outcome: string) => {
    const { text } = await new Client(gala.baseUrl, METRICS_TOKEN).get('/metrics');
    const line = `gala_message_attempts_total{channel="whatsapp",outcome="${outcome}"} `;
    return Number(text.split(line)[1]?.split('\n')[0] ?? 0);
  };
  const before = { sent: await attempts('sent'), refused: await attempts('refused') };
  const sent = await attemptEach(['take', { status: 400, code: 131026 }]);
  await withStatus(client, sent[0]!.id, 'sent');
  await withStatus(client, sent[1]!.id, 'failed');
  expect({ sent: await attempts('sent'), refused: await attempts('refused') }).toEqual({
    sent: before.sent + 1,
    refused: before.refused + 1,
  });
});

test('what the provider won’t take just now is tried again at its pace', async () => {
  const cases: [Reply, number][] = [
    [{ status: 400, code: 131056 }, 2],
    [{ status: 500, code: 131000 }, 2],
    [{ status: 503, code: 2, retryAfter: 10 }, 10],
    [{ status: 429, code: 130429, retryAfter: 60 }, 60],
  ];
  const sent = await attemptEach(cases.map(([reply]) => reply));
  await whatsApp.asked(cases.length);
  await sleep(100);
  whatsApp.reply = () => 'take';
  for (const [seconds, count] of [
    [1, 0],
    [2, 2],
    [8, 3],
    [48, 3],
    [2, 4],
  ] as const) {
    clock.advance(seconds);
    await aLook();
    expect(whatsApp.taken).toHaveLength(count);
  }
  for (const { id } of sent) await withStatus(client, id, 'sent');
});

test('what the provider could not take for a day fails', async () => {
  const { id } = await attempt({ status: 503, code: 131016, retryAfter: 50_000 });
  clock.advance(50_001);
  await message(client, id, ({ status }) => status === 'failed' || whatsApp.attempts === 2);
  expect(await withStatus(client, id, 'failed')).toMatchObject({ error: { code: 'channel_unavailable' } });
});

test('while nobody listens nothing has left, and it is sent when somebody does', async () => {
  const port = Number(whatsApp.url.port);
  const lead = await leadWhoWrote(client, callbacks, { at: clock.now() });
  await whatsApp.stop();
  const { body } = await send(client, lead.id);
  await sleep(300);
  whatsApp = await WhatsAppServer.start(port);
  clock.advance(3);
  await withStatus(client, body.id, 'sent');
  expect(whatsApp.taken).toHaveLength(1);
});

test('whoever takes too long from claiming to sending has lost the message to the next, and it goes out once', async () => {
  const id = newId('msg');
  await onConnection(gala.databaseUrl, async (other) => {
    // Whoever has claimed it waits for the credentials.
    await other.query('BEGIN; LOCK TABLE message_channels IN ACCESS EXCLUSIVE MODE');
    await sql(
      gala.databaseUrl,
      `INSERT INTO messages (workspace_id, mode, id, direction, channel, phone, type, text, status, created_at)
       VALUES ($1, 'live', $2, 'outbound', 'whatsapp', '+34600123456', 'text', 'Hello', 'queued', $3)`,
      [toUuid(workspace.id), toUuid(id), clock.now()],
    );
    const first = await claimOf(id);
    // Nothing has left, and a crash now would leave nothing in doubt.
    expect(
      await sql(gala.databaseUrl, 'SELECT sending_at FROM messages WHERE id = $1', [toUuid(id)]),
    ).toEqual([{ sending_at: null }]);
    clock.advance(20);
    await claimOf(id, first);
    await other.query('COMMIT');
  });
  await withStatus(client, id, 'sent');
  expect(whatsApp.attempts).toBe(1);
  expect(gala.logged.join()).not.toContain('could not be');
});

test('a lost answer is made good by the report that comes later', async () => {
  const { id } = await attempt('take and hang up');
  await withStatus(client, id, 'failed');
  const [{ wamid, body }] = whatsApp.taken as [any];
  await callbacks.status(wamid, 'delivered', { biz_opaque_callback_data: body.biz_opaque_callback_data });
  expect((await client.get(`/v1/messages/${id}`)).body).toMatchObject({
    status: 'delivered',
    error: null,
    failedAt: null,
  });
  await callbacks.status(wamid, 'read');
  expect((await client.get(`/v1/messages/${id}`)).body.status).toBe('read');
});

test('one conversation keeps its order while its first message is put off; others go on', async () => {
  const [ana, ben] = [
    await leadWhoWrote(client, callbacks, { at: clock.now() }),
    await leadWhoWrote(client, callbacks, { phone: '+34600777777', at: clock.now() }),
  ];
  whatsApp.reply = ({ text }) =>
    text.body === 'one' && whatsApp.attempts < 3 ? { status: 429, code: 80007 } : 'take';
  const texts = ['one', 'two', 'three'];
  for (const text of texts) await send(client, ana.id, text);
  await send(client, ben.id, 'other');
  await whatsApp.took(1);
  expect(whatsApp.taken[0]!.body.text.body).toBe('other');
  for (let tries = 0; whatsApp.taken.length < 4; tries++) {
    clock.advance(10);
    await sleep(200);
    if (tries > 40) break;
  }
  expect(whatsApp.taken.slice(1).map(({ body }) => body.text.body)).toEqual(texts);
});

test('a channel that is disconnected fails what waits, and credentials are kept encrypted', async () => {
  const tables = [...(await dumpTables(gala.databaseUrl)).values()].join('\n');
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const channel = gala.app.get(ManageChannel, { strict: false });
  const { verifyToken } = (await channel.find(ref))!;
  for (const secret of [CREDENTIALS.accessToken, CREDENTIALS.appSecret, verifyToken]) {
    expect(tables).not.toContain(secret);
    expect(tables).not.toContain(Buffer.from(secret).toString('hex'));
  }
  const { id } = await attempt({ status: 429, code: 130429 });
  await channel.disconnect(ref, OPERATOR);
  clock.advance(60);
  expect(await withStatus(client, id, 'failed')).toMatchObject({ error: { code: 'channel_disconnected' } });
  expect((await callbacks.status('wamid.x', 'read')).status).toBe(404);
});
