import * as fc from 'fast-check';
import { readNotification, toMessage, toReport } from './whatsapp-notification';
import { readSenders } from './whatsapp-senders';

const PHONE = '34600123456';
const OTHER_PHONE = '34600999999';
const USER_ID = 'ES.13491208655302741918';
const OTHER_USER_ID = 'ES.2';

const contact = (fields: object, name = 'Ana') => ({ profile: { name }, ...fields });
const senderOf = (message: object, ...contacts: object[]) => readSenders(contacts)({ ...message });

test('a message is someone’s by number, by user id or by both', () => {
  expect(senderOf({ from: PHONE })).toEqual({ phone: `+${PHONE}`, userId: null, name: null });
  expect(senderOf({ from_user_id: USER_ID })).toEqual({ phone: null, userId: USER_ID, name: null });
  expect(senderOf({ from: USER_ID })).toEqual({ phone: null, userId: USER_ID, name: null });
  expect(senderOf({ from: PHONE, from_user_id: USER_ID })).toEqual({
    ...{ phone: `+${PHONE}`, userId: USER_ID, name: null },
  });
  expect(senderOf({ from: 'ES.parent', from_user_id: USER_ID })).toMatchObject({ userId: USER_ID });
  for (const message of [{}, { from: '' }, { from: 5, from_user_id: null }, { from_user_id: 'x y' }]) {
    expect(senderOf(message)).toBeUndefined();
  }
});

test('a contact names its sender, and completes what the message leaves out', () => {
  const both = contact({ wa_id: PHONE, user_id: USER_ID });
  const complete = { phone: `+${PHONE}`, userId: USER_ID, name: 'Ana' };
  expect(senderOf({ from: PHONE }, both)).toEqual(complete);
  expect(senderOf({ from_user_id: USER_ID }, both)).toEqual(complete);
  expect(senderOf({ from_user_id: USER_ID }, contact({ user_id: USER_ID }))).toMatchObject({ name: 'Ana' });
  expect(senderOf({ from: USER_ID }, contact({ wa_id: USER_ID }))).toMatchObject({ name: 'Ana' });
  const hidden = { profile: { username: 'ana.p' }, user_id: USER_ID };
  expect(senderOf({ from_user_id: USER_ID }, hidden)).toMatchObject({ name: 'ana.p' });
});

test('a shared number without a sender is the only contact’s, and nobody’s among several', () => {
  const one = contact({ user_id: USER_ID });
  expect(senderOf({}, one)).toEqual({ phone: null, userId: USER_ID, name: 'Ana' });
  expect(senderOf({}, one, contact({ user_id: OTHER_USER_ID }))).toBeUndefined();
  expect(senderOf({ from: 'not an id' }, one)).toBeUndefined();
});

test('contacts that contradict each other pair nobody', () => {
  const pairs: [object, object][] = [
    [
      { wa_id: PHONE, user_id: USER_ID },
      { wa_id: PHONE, user_id: OTHER_USER_ID },
    ],
    [
      { wa_id: PHONE, user_id: USER_ID },
      { wa_id: OTHER_PHONE, user_id: USER_ID },
    ],
  ];
  for (const [one, other] of pairs) {
    for (const contacts of [
      [contact(one), contact(other), contact(one)],
      [contact(other), contact(one), contact(one)],
    ]) {
      expect(senderOf({ from: PHONE }, ...contacts)).toMatchObject({ phone: `+${PHONE}`, userId: null });
      expect(senderOf({ from_user_id: USER_ID }, ...contacts)).toMatchObject({
        phone: null,
        userId: USER_ID,
      });
    }
  }
  // What a message says of itself stands.
  expect(
    senderOf({ from: PHONE, from_user_id: USER_ID }, contact({ wa_id: PHONE, user_id: OTHER_USER_ID })),
  ).toMatchObject({ phone: `+${PHONE}`, userId: USER_ID });
});

test('a notice of a new user id is that of the new one, and names the one before', () => {
  const system = { type: 'user_changed_user_id', user_id: OTHER_USER_ID, previous_user_id: USER_ID };
  expect(senderOf({ type: 'system', system, from: PHONE })).toEqual({
    ...{ phone: null, userId: OTHER_USER_ID, name: null },
    former: { phone: `+${PHONE}`, userId: USER_ID },
  });
  expect(senderOf({ type: 'system', system: { wa_id: OTHER_PHONE }, from: PHONE })).toMatchObject({
    ...{ phone: `+${PHONE}`, userId: null },
  });
  // Only the channel writes notices.
  expect(senderOf({ type: 'text', system, from_user_id: USER_ID })).toMatchObject({ userId: USER_ID });
});

test('no text in a notification becomes a phone number unless it is one, or is changed on its way to an id', () => {
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(/^\+?[\d.]{1,20}$/),
    fc.constantFrom(PHONE, OTHER_PHONE, USER_ID, OTHER_USER_ID, '+34 600 123 456', '\0', '٣٤٦٠٠١٢٣٤'),
  );
  const value = fc.oneof(text, fc.jsonValue({ maxDepth: 1 }));
  const record = (...names: string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  const messages = fc.array(record('from', 'from_user_id', 'from_parent_user_id'), { maxLength: 4 });
  const contacts = fc.array(record('wa_id', 'user_id', 'parent_user_id'), { maxLength: 4 });
  const statuses = fc.array(record('recipient_id', 'recipient_user_id'), { maxLength: 4 });
  fc.assert(
    fc.property(messages, contacts, statuses, (messageFields, contactFields, statusFields) => {
      const given = [...messageFields, ...contactFields, ...statusFields].flatMap(Object.values);
      const numbers = given.filter((each) => typeof each === 'string' && /^\+?[1-9]\d{6,14}$/.test(each));
      const phones = new Set(numbers.map((each) => `+${String(each).replace('+', '')}`));
      const change = {
        field: 'messages',
        value: {
          metadata: { phone_number_id: '1' },
          contacts: contactFields,
          messages: messageFields.map((fields, index) => ({ ...fields, id: `wamid.${index}` })),
          statuses: statusFields.map((fields) => ({ ...fields, id: 'wamid.x', status: 'read' })),
        },
      };
      const notification = readNotification(
        Buffer.from(JSON.stringify({ entry: [{ changes: [change] }] })),
        '1',
      )!;
      expect(notification.messages.length + notification.anonymous).toBe(messageFields.length);
      const now = new Date();
      const people = [
        ...notification.messages.map((entry) => toMessage(entry, now).sender),
        ...notification.statuses.map((status) => toReport(status, now)!.recipient),
      ];
      for (const { phone, userId } of people) {
        if (phone !== null) expect(phones).toContain(phone);
        if (userId !== null) expect(given).toContain(userId);
      }
    }),
    { numRuns: 300 },
  );
});
