import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { newId } from '../../src/kernel/ids';
import { OPERATOR } from '../../src/kernel/actor';
import { ManageChannel } from '../../src/modules/messages';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { dumpTables } from '../support/table-dump';
import {
  Callbacks,
  CREDENTIALS,
  newWamid,
  seconds,
  statusEntry,
  WhatsAppServer,
} from '../support/whatsapp-server';
import { conversation, leadWith, send, withStatus } from './support';
import { connect, leadWhoWrote } from './whatsapp-support';

let whatsApp: WhatsAppServer;
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let callbacks: Callbacks;
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  gala = await startGala({ configuration: { whatsAppApiUrl: whatsApp.url } });
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

const manage = () => gala.app.get(ManageChannel, { strict: false });
const ref = () => ({ workspaceId: workspace.id, mode: 'live' }) as const;

async function sentMessage(): Promise<{ id: string; leadId: string; wamid: string }> {
  const lead = await leadWhoWrote(client, callbacks);
  const { body } = await send(client, lead.id);
  await withStatus(client, body.id, 'sent');
  return { id: body.id, leadId: lead.id, wamid: whatsApp.taken.at(-1)!.wamid };
}

/** Everything that a callback could change, but for the time at which one came. */
async function state(): Promise<string> {
  const dump = await dumpTables(gala.databaseUrl);
  return ['messages', 'events', 'leads', 'message_opt_outs'].map((table) => dump.get(table)).join('\n');
}

test('the address is verified by the token alone', async () => {
  const ask = (query: Record<string, string>) =>
    gala.anonymous.get(`${callbacks.path}?${new URLSearchParams(query)}`);
  const right = {
    'hub.mode': 'subscribe',
    'hub.verify_token': (await manage().find(ref()))!.verifyToken,
    'hub.challenge': '1158201444',
  };
  const answer = await ask(right);
  expect(answer).toMatchObject({ status: 200, text: '1158201444' });
  expect(answer.headers['content-type']).toMatch(/^text\/plain/);
  expect((await manage().find(ref()))!.verifiedAt).not.toBeNull();
  expect((await ask({ ...right, 'hub.verify_token': 'a guess' })).status).toBe(403);
  expect((await ask({ ...right, 'hub.mode': 'unsubscribe' })).status).toBe(403);
  expect((await ask({ 'hub.mode': 'subscribe' })).status).toBe(422);
  const elsewhere = `/channels/whatsapp/${newId('chan')}?${new URLSearchParams(right)}`;
  expect((await gala.anonymous.get(elsewhere)).status).toBe(404);
});

test('status never goes backwards, in whatever order and however often reports come', async () => {
  const RANK = ['queued', 'sent', 'delivered', 'read'];
  const reports = fc.array(fc.constantFrom('sent', 'delivered', 'read', 'failed', 'deleted', 'warning'), {
    minLength: 1,
    maxLength: 7,
  });
  const lead = await leadWhoWrote(client, callbacks);
  await fc.assert(
    fc.asyncProperty(reports, async (statuses) => {
      const { body } = await send(client, lead.id);
      let before = await withStatus(client, body.id, 'sent');
      const { wamid } = whatsApp.taken.at(-1)!;
      for (const status of statuses) {
        const extra = status === 'failed' ? { errors: [{ code: 131026, title: 'Undeliverable' }] } : {};
        expect((await callbacks.status(wamid, status, extra)).status).toBe(200);
        const after = (await client.get(`/v1/messages/${body.id}`)).body;
        if (before.status === 'failed') expect(after).toEqual(before);
        else if (after.status === 'failed') expect(before.status).toBe('sent');
        else expect(RANK.indexOf(after.status)).toBeGreaterThanOrEqual(RANK.indexOf(before.status));
        const times = [after.createdAt, after.sentAt, after.deliveredAt, after.readAt].filter(Boolean);
        expect(times).toEqual([...times].sort());
        before = after;
      }
    }),
    { numRuns: 15 },
  );
});

test('reports of one notification sent at once, and again, leave the furthest state and one event each', async () => {
  const { id, wamid } = await sentMessage();
  const statuses = ['read', 'delivered', 'sent'].map((status) => statusEntry(wamid, status));
  await Promise.all([1, 2, 3].map(() => callbacks.post({ statuses })));
  expect((await client.get(`/v1/messages/${id}`)).body.status).toBe('read');
  const events = (await client.get('/v1/events?limit=100')).body.data;
  const types = events.filter(({ data }: any) => data.id === id).map(({ type }: any) => type);
  expect(types.sort()).toEqual(['message.queued', 'message.read', 'message.sent']);
});

test('a forged, replayed, foreign or unreadable callback changes nothing', async () => {
  const { id, wamid } = await sentMessage();
  const theirs = await gala.createWorkspace();
  const foreign = await connect(gala, theirs, { ...CREDENTIALS, appSecret: 'f'.repeat(32) });
  const read = Buffer.from(JSON.stringify(callbacks.envelope({ statuses: [statusEntry(wamid, 'read')] })));
  const named = { statuses: [statusEntry(newWamid(), 'read', { biz_opaque_callback_data: id })] };
  const sha1 = createHmac('sha1', CREDENTIALS.appSecret).update(read).digest('hex');
  const before = await state();

  const signed = (signature: string | undefined) =>
    callbacks.send(read, { 'X-Hub-Signature-256': signature });
  for (const signature of [undefined, '', 'sha256=', `sha256=${'0'.repeat(64)}`, `sha1=${sha1}`]) {
    expect((await signed(signature)).status).toBe(403);
  }
  const wrong = new Callbacks(gala.baseUrl, callbacks.path, 'f'.repeat(32));
  expect((await wrong.status(wamid, 'read')).status).toBe(403);
  // Signed for their own connection, they speak of our message: by its id, by its name, and of our number.
  expect((await foreign.status(wamid, 'read')).status).toBe(200);
  expect((await foreign.post(named)).status).toBe(200);
  const otherNumber = new Callbacks(gala.baseUrl, callbacks.path, CREDENTIALS.appSecret, '999');
  expect((await otherNumber.status(wamid, 'read')).status).toBe(200);
  expect((await otherNumber.message('34600123456', { type: 'text', text: { body: 'x' } })).status).toBe(200);
  for (const bytes of ['[]', '{', '"x"', 'null', '']) {
    expect((await callbacks.send(Buffer.from(bytes))).status).toBe(400);
  }
  for (const value of [null, [], 5, { entry: 5 }, { entry: [{ changes: [null, { field: 'messages' }] }] }]) {
    const answer = await callbacks.send(Buffer.from(JSON.stringify({ object: 'x', ...(value as object) })));
    expect(answer.status).toBe(200);
  }
  expect(await state()).toBe(before);

  await callbacks.send(read);
  const after = await state();
  expect(after).not.toBe(before);
  for (let times = 0; times < 3; times++) await callbacks.send(read);
  expect(await state()).toBe(after);
});

test('what comes in is described, whatever kind it is, and none is dropped', async () => {
  const media = { id: '2754859441498128', mime_type: 'image/jpeg', sha256: 'x' };
  const cases: [object, object][] = [
    [{ type: 'text', text: { body: 'Hi 😀' } }, { text: 'Hi 😀' }],
    [{ type: 'text', text: { body: 'a\0b\ud800' } }, { text: 'a\ufffdb\ufffd' }],
    [
      { type: 'image', image: { ...media, caption: 'Us' } },
      { text: 'A picture: Us', media: { id: media.id, mimeType: 'image/jpeg', filename: null } },
    ],
    [{ type: 'document', document: { ...media, filename: 'Menu.pdf' } }, { text: 'A document “Menu.pdf”' }],
    [{ type: 'audio', audio: { ...media, voice: true } }, { text: 'A voice message' }],
    [{ type: 'video', video: media }, { text: 'A video' }],
    [{ type: 'sticker', sticker: { ...media, animated: true } }, { text: 'An animated sticker' }],
    [
      { type: 'location', location: { latitude: 40.4, longitude: -3.7, name: 'Retiro' } },
      { text: 'A location: Retiro (40.4, -3.7)' },
    ],
    [
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Ben' }, phones: [{ phone: '+44 1' }] }] },
      { text: 'A contact: Ben +44 1' },
    ],
    [
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: '1', title: 'Yes' } } },
      { text: 'Yes' },
    ],
    [
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Friday' } } },
      { text: 'Friday' },
    ],
    [{ type: 'button', button: { text: 'Approve', payload: 'p' } }, { text: 'Approve' }],
    [{ type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } }, { text: 'Reacted with 👍' }],
    [{ type: 'reaction', reaction: { message_id: 'wamid.x' } }, { text: 'Took a reaction back' }],
    [{ type: 'order', order: { product_items: [{}, {}] } }, { text: 'An order of 2 products' }],
    [{ type: 'system', system: { body: 'Ana changed her number' } }, { text: 'Ana changed her number' }],
    [
      { type: 'unsupported', errors: [{ code: 131051 }] },
      { text: 'A message of a kind that WhatsApp doesn’t pass on' },
    ],
    [{ type: 'hologram', hologram: 5 }, { text: 'A message of the kind “hologram”' }],
    [{ type: 'contacts', contacts: [null, 5] }, { text: 'Contacts: ' }],
    [{ type: 'text' }, { text: '(an empty message)' }],
    [{}, { type: 'unknown' }],
    [{ type: 'constructor' }, { type: 'constructor' }],
  ];
  const lead = await leadWith(client, '+34600123456');
  for (const [content] of cases) {
    expect((await callbacks.message('34600123456', content)).status).toBe(200);
  }
  const found = await conversation(client, lead.id);
  expect(found).toHaveLength(cases.length);
  for (const [index, [content, expected]] of cases.entries()) {
    expect(found[index]).toMatchObject({
      direction: 'inbound',
      status: 'received',
      ...(content.hasOwnProperty('type') && { type: (content as any).type }),
      ...expected,
    });
  }
});

test('one message that comes twice is one, also at once', async () => {
  const lead = await leadWith(client, '+34600123456');
  const message = {
    id: newWamid(),
    from: '34600123456',
    timestamp: seconds(),
    type: 'text',
    text: { body: 'Hi' },
  };
  await Promise.all([1, 2, 3, 4].map(() => callbacks.post({ messages: [message] })));
  await callbacks.post({ messages: [message] });
  expect(await conversation(client, lead.id)).toHaveLength(1);
});

test('an unknown number becomes one lead, unless the workspace doesn’t want it', async () => {
  const hello = { type: 'text', text: { body: 'Is June free?' } };
  await Promise.all([1, 2, 3].map(() => callbacks.message('34611222333', hello, 'Zoë')));
  const leads = (await client.get('/v1/leads?source=whatsapp')).body.data;
  expect(leads).toHaveLength(1);
  expect(leads[0]).toMatchObject({
    name: 'Zoë',
    phone: '+34611222333',
    email: '34611222333@whatsapp.invalid',
  });
  expect(await conversation(client, leads[0].id)).toHaveLength(3);

  await manage().changeSettings(ref(), OPERATOR, { languages: ['es'], createsLeads: false });
  await callbacks.message('34644555666', hello);
  expect((await client.get('/v1/leads?source=whatsapp')).body.pagination.total).toBe(1);
  const [latest] = (await client.get('/v1/messages?limit=1')).body.data;
  expect(latest).toMatchObject({ leadId: null, phone: '+34644555666', text: 'Is June free?' });
});

test('a required custom field keeps no unknown number from becoming a lead', async () => {
  await addField(client, 'room', { isRequired: true });
  await callbacks.message('34611222333', { type: 'text', text: { body: 'Is June free?' } });
  const [lead] = (await client.get('/v1/leads?source=whatsapp')).body.data;
  expect(lead.custom).toEqual({ room: null });
});

test('words that end and resume a conversation count in the workspace’s languages', async () => {
  const lead = await leadWhoWrote(client, callbacks);
  const say = (body: string) => callbacks.message('34600123456', { type: 'text', text: { body } });
  const mayWrite = async () => (await send(client, lead.id)).status === 201;
  await say('Baja');
  expect(await mayWrite()).toBe(true);
  await manage().changeSettings(ref(), OPERATOR, { languages: ['es'], createsLeads: true });
  await say('¡BAJA!');
  expect(await mayWrite()).toBe(false);
  await say('please start');
  expect(await mayWrite()).toBe(false);
  await say('START');
  expect(await mayWrite()).toBe(true);
  await say('Stop.');
  expect(await mayWrite()).toBe(false);
});

test('a reply finds its conversation where the channel knows the number by another one', async () => {
  const lead = await leadWith(client, '+525512345678');
  await callbacks.message('525512345678', { type: 'text', text: { body: 'Hola' } });
  whatsApp.contactOf = () => '5215512345678';
  const { body } = await send(client, lead.id);
  await withStatus(client, body.id, 'sent');
  await callbacks.message('5215512345678', { type: 'text', text: { body: 'Sí' } });
  expect((await conversation(client, lead.id)).at(-1)).toMatchObject({ text: 'Sí', phone: '+525512345678' });
});

test.each([
  ['+525512345678', '5215512345678'],
  ['+5491112345678', '541112345678'],
  ['+5511987654321', '551187654321'],
])('%s, who writes as %s, is one person from their first word on', async (phone, contact) => {
  const lead = await leadWith(client, phone);
  const twin = await leadWith(client, `+${contact}`);
  await client.delete(`/v1/leads/${twin.id}`);
  expect((await send(client, lead.id)).status).toBe(422);
  await callbacks.message(contact, { type: 'text', text: { body: 'Hola' } });
  expect(await conversation(client, lead.id)).toMatchObject([{ text: 'Hola', phone }]);
  expect((await client.get('/v1/leads?source=whatsapp')).body.pagination.total).toBe(0);
  expect((await send(client, lead.id)).status).toBe(201);
  await client.post(`/v1/leads/${twin.id}/restore`);
  expect((await send(client, twin.id)).status).toBe(201);
  expect((await client.post(`/v1/leads/${twin.id}/opt-out`)).status).toBe(200);
  expect((await send(client, lead.id)).status).toBe(422);
  expect((await client.post(`/v1/leads/${lead.id}/opt-in`)).status).toBe(200);
  expect((await send(client, twin.id)).status).toBe(201);
});

test('STOP and START count for every spelling of a number that the channel knows as one', async () => {
  whatsApp.contactOf = () => '5215512345678';
  const leads = [
    await leadWhoWrote(client, callbacks, { phone: '+525512345678' }),
    await leadWhoWrote(client, callbacks, { phone: '+5215512345678' }),
  ];
  const statuses = async () => {
    const [one, other] = [await send(client, leads[0]!.id), await send(client, leads[1]!.id)];
    for (const { status, body } of [one, other])
      if (status === 201) await withStatus(client, body.id, 'sent');
    return [one.status, other.status];
  };
  expect(await statuses()).toEqual([201, 201]);
  await callbacks.message('5215512345678', { type: 'text', text: { body: 'STOP' } });
  expect(await statuses()).toEqual([422, 422]);
  await callbacks.message('5215512345678', { type: 'text', text: { body: 'START' } });
  expect(await statuses()).toEqual([201, 201]);
});

test('no callback puts a text, number or name into the log', async () => {
  await sentMessage();
  await callbacks.message('34611222333', { type: 'text', text: { body: 'Top secret' } }, 'Zoë Secret');
  expect(gala.logged.join('\n')).not.toMatch(/secret|611222333|600123456|EAAJB|wamid/i);
});
