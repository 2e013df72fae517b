import { toUuid } from '../../src/kernel/ids';
import { allEvents } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import { sql } from '../support/sql';
import { newWamid, seconds } from '../support/whatsapp-server';
import { conversation, leadWith, message, send, withStatus } from './support';
import {
  digits,
  OTHER_PHONE,
  OTHER_USER_ID,
  PHONE,
  says,
  USER_ID,
  WhatsAppWorkspace,
} from './whatsapp-workspace';

const HOUR = 3600;

const our = new WhatsAppWorkspace();

describe('someone who shows no number', () => {
  test('becomes one lead, without a phone, and all that they say is in its conversation', async () => {
    await Promise.all([1, 2, 3].map(() => our.say('Is June free?')));
    const leads = await our.leadsFromWhatsApp();
    expect(leads).toMatchObject([{ name: 'Ana Pérez', phone: null, email: `${USER_ID}@whatsapp.invalid` }]);
    const said = await conversation(our.client, leads[0]!.id);
    expect(said).toHaveLength(3);
    for (const each of said) expect(each).toMatchObject({ phone: null, channelUserId: USER_ID });
    expect((await our.client.get(`/v1/messages/${said[0].id}`)).body).toEqual(said[0]);
    const events = (await allEvents(our.gala, our.workspace.id)).filter(
      ({ type }) => type === 'message.received',
    );
    expect(events.map(({ data }) => data)).toEqual(said);
  });

  test('is answered by their id, in order, and reports that name the id alone take the answer further', async () => {
    const { id: leadId } = await our.newcomer();
    const texts = ['one', 'two', 'three'];
    const ids: string[] = [];
    for (const text of texts) {
      const answer = await send(our.client, leadId, text);
      expect(answer).toMatchObject({ status: 201, body: { phone: null, channelUserId: USER_ID } });
      ids.push(answer.body.id);
    }
    for (const id of ids) await withStatus(our.client, id, 'sent');
    expect(our.whatsApp.taken.map(({ body }) => body.text.body)).toEqual(texts);
    expect(our.whatsApp.taken[0]!.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      recipient: USER_ID,
      biz_opaque_callback_data: ids[0],
      type: 'text',
      text: { preview_url: false, body: 'one' },
    });
    const report = { recipient_id: undefined, recipient_user_id: USER_ID };
    await our.callbacks.status(our.whatsApp.taken[0]!.wamid, 'read', report);
    expect((await our.client.get(`/v1/messages/${ids[0]}`)).body).toMatchObject({
      status: 'read',
      phone: null,
    });
  });

  test('is called by their username where there is no other name', async () => {
    await our.callbacks.userMessage(USER_ID, says('Hi'), { profile: { username: 'ana.perez' } });
    expect(await our.leadsFromWhatsApp()).toMatchObject([{ name: 'ana.perez' }]);
  });

  test('is known by an id that stands where numbers did', async () => {
    await our.callbacks.message(USER_ID, says('Hi'));
    await our.say('Hello again');
    const leads = await our.leadsFromWhatsApp();
    expect(leads).toMatchObject([{ name: 'Ana Pérez', phone: null }]);
    expect(await conversation(our.client, leads[0]!.id)).toMatchObject([
      { text: 'Hi', phone: null, channelUserId: USER_ID },
      { text: 'Hello again', phone: null, channelUserId: USER_ID },
    ]);
  });

  test('may be sent free text within 24 hours of their last message only', async () => {
    const timestamp = String(Number(seconds()) - 25 * HOUR);
    await our.callbacks.userMessage(USER_ID, { ...says('Long ago'), timestamp });
    const [lead] = await our.leadsFromWhatsApp();
    expectRefusal(await send(our.client, lead!.id), 422, { field: 'text' });
    await our.say('Now', { userId: OTHER_USER_ID });
    expectRefusal(await send(our.client, lead!.id), 422, { field: 'text' });
    await our.say('Now');
    expect((await send(our.client, lead!.id)).status).toBe(201);
  });

  test('opts out and in by their id, also of what is queued, and so does the API', async () => {
    const lead = await our.newcomer();
    our.whatsApp.reply = () => ({ status: 429, code: 130429, retryAfter: 2 });
    const queued = (await send(our.client, lead.id)).body;
    await our.whatsApp.asked(1);
    await our.say('STOP');
    expectRefusal(await send(our.client, lead.id), 422, { field: 'leadId' });
    expect(await withStatus(our.client, queued.id, 'failed')).toMatchObject({ error: { code: 'opted_out' } });
    our.whatsApp.reply = () => 'take';
    await our.say('START');
    expect((await send(our.client, lead.id)).status).toBe(201);
    const consent = { leadId: lead.id, phone: null, channelUserId: USER_ID };
    const told = (await allEvents(our.gala, our.workspace.id)).filter(({ type }) =>
      type.startsWith('contact.'),
    );
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['contact.opted_out', { ...consent, optedOutAt: expect.any(String) }],
      ['contact.opted_in', { ...consent, optedOutAt: null }],
    ]);
    const optOut = await our.client.post(`/v1/leads/${lead.id}/opt-out`);
    expect(optOut).toMatchObject({ status: 200, body: { ...consent, optedOutAt: expect.any(String) } });
    expectRefusal(await send(our.client, lead.id), 422, { field: 'leadId' });
    expect((await our.client.post(`/v1/leads/${lead.id}/opt-in`)).body).toEqual({
      ...consent,
      optedOutAt: null,
    });
    expect((await send(our.client, lead.id)).status).toBe(201);
  });

  test('is written to by phone once the lead has one, and what they decide by id still holds', async () => {
    const lead = await our.newcomer();
    expect((await our.client.patch(`/v1/leads/${lead.id}`, { phone: PHONE })).status).toBe(200);
    const { body } = await send(our.client, lead.id);
    expect(body).toMatchObject({ phone: PHONE, channelUserId: null });
    await withStatus(our.client, body.id, 'sent');
    expect(our.whatsApp.taken.at(-1)!.body).toMatchObject({ to: PHONE });
    expect(our.whatsApp.taken.at(-1)!.body).not.toHaveProperty('recipient');
    await our.say('STOP');
    expect(await our.textsOf(lead.id)).toContain('STOP');
    expectRefusal(await send(our.client, lead.id), 422, { field: 'leadId' });
    await our.say('START');
    expect((await send(our.client, lead.id)).status).toBe(201);
  });

  test('is kept, listed and logged where the workspace wants no new leads, and their STOP is not forgotten', async () => {
    await our.dontCreateLeads();
    await our.say('STOP');
    expect(await our.leadsFromWhatsApp()).toEqual([]);
    const [kept] = await our.messages();
    expect(kept).toMatchObject({ leadId: null, phone: null, channelUserId: USER_ID, text: 'STOP' });
    const lines = our.gala.logged.filter((line) => line.includes('someone who is no lead'));
    expect(lines.at(-1)).toContain(kept.id);
    const lead = await leadWith(our.client, PHONE);
    expectRefusal(await send(our.client, lead.id), 422, { field: 'text' });
    // Now the channel says that the two are one.
    await our.say('Hello', { phone: PHONE });
    expect(await our.textsOf(lead.id)).toEqual(['Hello']);
    expectRefusal(await send(our.client, lead.id), 422, { field: 'leadId' });
    await our.say('START');
    expect((await send(our.client, lead.id)).status).toBe(201);
  });
});

describe('someone who shows both number and id', () => {
  test('is the lead with the number, from then on by the id alone as well', async () => {
    const lead = await leadWith(our.client, PHONE);
    await our.say('By both', { phone: PHONE });
    await our.say('By id');
    await our.callbacks.message(digits(PHONE), says('By number'));
    expect(await conversation(our.client, lead.id)).toMatchObject([
      { text: 'By both', phone: PHONE, channelUserId: USER_ID },
      { text: 'By id', phone: PHONE, channelUserId: USER_ID },
      { text: 'By number', phone: PHONE, channelUserId: null },
    ]);
    expect(await our.leadsFromWhatsApp()).toEqual([]);
    const { body } = await send(our.client, lead.id);
    await withStatus(our.client, body.id, 'sent');
    expect(our.whatsApp.taken[0]!.body).toMatchObject({ to: PHONE });
  });

  test('decides by either for both, and for every lead with the number', async () => {
    const leads = [await leadWith(our.client, PHONE), await leadWith(our.client, PHONE)];
    await our.say('Hello', { phone: PHONE });
    const statuses = async () => [
      (await send(our.client, leads[0]!.id)).status,
      (await send(our.client, leads[1]!.id)).status,
    ];
    expect(await statuses()).toEqual([201, 201]);
    await our.say('STOP');
    expect(await statuses()).toEqual([422, 422]);
    await our.callbacks.message(digits(PHONE), says('START'));
    expect(await statuses()).toEqual([201, 201]);
    await our.callbacks.message(digits(PHONE), says('STOP'));
    // The id had no part in it, and is of the same person.
    expect((await our.client.patch(`/v1/leads/${leads[1]!.id}`, { phone: null })).status).toBe(200);
    expect((await our.client.patch(`/v1/leads/${leads[0]!.id}`, { phone: null })).status).toBe(200);
    expect(await statuses()).toEqual([422, 422]);
    await our.say('START');
    expect((await statuses()).sort()).toEqual([201, 422]);
  });

  test('opens the 24 hours of the number by writing with the id', async () => {
    const lead = await leadWith(our.client, PHONE);
    const timestamp = String(Number(seconds()) - 25 * HOUR);
    await our.callbacks.userMessage(USER_ID, { ...says('Long ago'), timestamp }, { phone: digits(PHONE) });
    expectRefusal(await send(our.client, lead.id), 422, { field: 'text' });
    await our.say('Now');
    expect((await send(our.client, lead.id)).status).toBe(201);
  });

  test('is found by either in a contact, whichever the message names', async () => {
    const lead = await leadWith(our.client, PHONE);
    const contacts = [{ profile: { name: 'Ana' }, wa_id: digits(PHONE), user_id: USER_ID }];
    const entry = { id: newWamid(), timestamp: seconds(), from_user_id: USER_ID, ...says('Hello') };
    await our.callbacks.post({ contacts, messages: [entry] });
    expect(await conversation(our.client, lead.id)).toMatchObject([{ text: 'Hello', phone: PHONE }]);
  });

  test('stays the lead that they became by the id, also by the number alone', async () => {
    const lead = await our.newcomer();
    await our.say('Here is my number', { phone: PHONE });
    await our.callbacks.message(digits(PHONE), says('By number'));
    expect(await our.textsOf(lead.id)).toEqual(['Is June free?', 'Here is my number', 'By number']);
    expect((await our.client.get(`/v1/leads/${lead.id}`)).body.phone).toBeNull();
    expect(await our.leadsFromWhatsApp()).toHaveLength(1);
    await our.callbacks.message(digits(PHONE), says('STOP'));
    expectRefusal(await send(our.client, lead.id), 422, { field: 'leadId' });
  });

  test('is known from reports on what was sent to the number, before they write', async () => {
    const lead = await leadWith(our.client, PHONE);
    await our.callbacks.message(digits(PHONE), says('Hi'));
    const { body } = await send(our.client, lead.id);
    await withStatus(our.client, body.id, 'sent');
    const report = { recipient_id: digits(PHONE), recipient_user_id: USER_ID };
    for (const status of ['delivered', 'read']) {
      await our.callbacks.status(our.whatsApp.taken[0]!.wamid, status, report);
    }
    await message(our.client, body.id, ({ status }) => status === 'read');
    await our.say('By id');
    expect(await our.textsOf(lead.id)).toEqual(['Hi', 'Hello', 'By id']);
    // Of somebody who is no lead, nothing is kept.
    await our.callbacks.status(newWamid(), 'read', {
      ...{ recipient_id: digits(OTHER_PHONE), recipient_user_id: OTHER_USER_ID },
    });
    const users = await sql(
      our.gala.databaseUrl,
      'SELECT user_id FROM message_users WHERE workspace_id = $1',
      [toUuid(our.workspace.id)],
    );
    expect(users).toEqual([{ user_id: USER_ID }]);
  });
});
