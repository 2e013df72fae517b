import { ReceiveMessage } from '../../src/modules/messages/application/receive-message';
import { expectRefusal } from '../support/expect-refusal';
import { CREDENTIALS, newWamid, seconds } from '../support/whatsapp-server';
import { conversation, leadWith, send, withStatus } from './support';
import { connect } from './whatsapp-support';
import { OTHER_PHONE, OTHER_USER_ID, PHONE, says, USER_ID, WhatsAppWorkspace } from './whatsapp-workspace';

const our = new WhatsAppWorkspace();

describe('a message never goes to a wrong person', () => {
  test('where an id comes with another lead’s number, it is that lead’s from then on', async () => {
    const [ana, ben] = [await leadWith(our.client, PHONE), await leadWith(our.client, OTHER_PHONE)];
    await our.say('I am Ana', { phone: PHONE });
    await our.say('I am Ben', { phone: OTHER_PHONE });
    await our.say('Still Ben');
    expect(await our.textsOf(ana.id)).toEqual(['I am Ana']);
    expect(await our.textsOf(ben.id)).toEqual(['I am Ben', 'Still Ben']);
    await our.say('STOP');
    expectRefusal(await send(our.client, ben.id), 422, { field: 'leadId' });
    expect((await send(our.client, ana.id)).status).toBe(201);
  });

  test('where an id comes with a number that nobody has, its lead with another number isn’t meant', async () => {
    const ana = await leadWith(our.client, PHONE);
    await our.say('I am Ana', { phone: PHONE });
    await our.say('Who am I?', { phone: OTHER_PHONE });
    await our.say('Who am I?');
    expect(await our.textsOf(ana.id)).toEqual(['I am Ana']);
    const [stranger] = await our.leadsFromWhatsApp();
    expect(stranger).toMatchObject({ phone: OTHER_PHONE });
    expect(await our.textsOf(stranger!.id)).toEqual(['Who am I?', 'Who am I?']);
  });

  test('a lead whose number was changed by hand keeps the id, unless another lead has the number shown', async () => {
    const ana = await leadWith(our.client, PHONE);
    await our.say('Hello', { phone: PHONE });
    await our.client.patch(`/v1/leads/${ana.id}`, { phone: OTHER_PHONE });
    await our.say('By id');
    expect(await conversation(our.client, ana.id)).toMatchObject([{ phone: PHONE }, { phone: PHONE }]);
    await our.say('STOP');
    expectRefusal(await send(our.client, ana.id), 422, { field: 'leadId' });
    await our.say('START');
    // The number that would be written to is not the one that wrote.
    expectRefusal(await send(our.client, ana.id), 422, { field: 'text' });
    const ben = await leadWith(our.client, PHONE);
    await our.say('By id again');
    expect(await our.textsOf(ben.id)).toEqual(['By id again']);
  });

  test('the same id in another workspace is somebody else', async () => {
    const theirs = await our.gala.createWorkspace();
    const theirClient = await theirs.client('live');
    const theirCallbacks = await connect(our.gala, theirs, { ...CREDENTIALS, appSecret: 'f'.repeat(32) });
    const mine = await our.newcomer();
    await theirCallbacks.userMessage(USER_ID, says('STOP'));
    expect(await our.textsOf(mine.id)).toEqual(['Is June free?']);
    expect((await send(our.client, mine.id)).status).toBe(201);
    const [their] = (await theirClient.get('/v1/leads')).body.data;
    expect(their.id).not.toBe(mine.id);
    expect(await our.messages(theirClient)).toMatchObject([{ text: 'STOP', leadId: their.id }]);
    expect((await (await our.workspace.client('test')).get('/v1/messages')).body.data).toEqual([]);
  });

  test('an archived lead gets what comes by id only while no other lead has the number', async () => {
    const ana = await leadWith(our.client, PHONE);
    await our.say('Hello', { phone: PHONE });
    await our.client.delete(`/v1/leads/${ana.id}`);
    await our.say('To the archive');
    const again = await leadWith(our.client, PHONE);
    await our.say('To the new one');
    expect(await our.textsOf(ana.id)).toEqual(['Hello', 'To the archive']);
    expect(await our.textsOf(again.id)).toEqual(['To the new one']);
  });
});

describe('what is queued ends with a STOP', () => {
  /** Queues a message, which the channel doesn't take for now. */
  async function queue(leadId: string): Promise<string> {
    our.whatsApp.reply = () => ({ status: 429, code: 130429, retryAfter: 2 });
    const { status, body } = await send(our.client, leadId);
    expect(status).toBe(201);
    await our.whatsApp.asked(1);
    return body.id;
  }
  const ends = async (id: string) =>
    expect(await withStatus(our.client, id, 'failed')).toMatchObject({ error: { code: 'opted_out' } });

  test('by an id that has become another lead’s since', async () => {
    const lead = await our.newcomer();
    const id = await queue(lead.id);
    await leadWith(our.client, PHONE);
    await our.say('STOP', { phone: PHONE });
    await ends(id);
  });

  test('by an id of the lead, where it was queued for the lead’s number', async () => {
    const lead = await our.newcomer();
    await our.client.patch(`/v1/leads/${lead.id}`, { phone: PHONE });
    const id = await queue(lead.id);
    await our.say('STOP');
    await ends(id);
  });
});

test('several instances that take in what one person says make one lead of them', async () => {
  const receive = our.gala.app.get(ReceiveMessage, { strict: false });
  const take = () =>
    receive.execute(our.ref, {
      sender: { phone: null, userId: USER_ID, name: 'Ana' },
      providerId: newWamid(),
      ...{ type: 'text', text: 'Hello', media: null, sentAt: new Date() },
    });
  const taken = await Promise.all([1, 2, 3, 4].map(take));
  const leads = await our.leadsFromWhatsApp();
  expect(leads).toHaveLength(1);
  expect(taken.map((each) => each?.leadId)).toEqual(taken.map(() => leads[0]!.id));
});

test('a new user id of the same person takes over lead and opt-out', async () => {
  const lead = await our.newcomer();
  await our.say('STOP');
  const system = { type: 'user_changed_user_id', user_id: OTHER_USER_ID, previous_user_id: USER_ID };
  await our.callbacks.post({
    messages: [{ id: newWamid(), timestamp: seconds(), from_user_id: OTHER_USER_ID, type: 'system', system }],
  });
  await our.say('It is still me', { userId: OTHER_USER_ID });
  expect((await our.textsOf(lead.id)).at(-1)).toBe('It is still me');
  expect(await our.leadsFromWhatsApp()).toHaveLength(1);
  expectRefusal(await send(our.client, lead.id), 422, { field: 'leadId' });
  await our.say('START', { userId: OTHER_USER_ID });
  const { body } = await send(our.client, lead.id);
  await withStatus(our.client, body.id, 'sent');
  expect(our.whatsApp.taken.at(-1)!.body).toMatchObject({ recipient: OTHER_USER_ID });
});

test('messages that name nobody are not kept, and that is logged; no id reaches the log', async () => {
  const entry = (fields: object) => ({ id: newWamid(), timestamp: seconds(), ...says('Hi'), ...fields });
  const answer = await our.callbacks.post({
    messages: [entry({}), entry({ from: '' }), entry({ from: 'a\0b' }), entry({ from_user_id: USER_ID })],
  });
  expect(answer.status).toBe(200);
  expect(await our.messages()).toMatchObject([{ channelUserId: USER_ID }]);
  expect(our.gala.logged.some((line) => line.includes('"count":3') && line.includes('name no sender'))).toBe(
    true,
  );
  expect(our.gala.logged.join('\n')).not.toMatch(/134912086|600123456|wamid/);
});
