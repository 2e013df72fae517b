import * as fc from 'fast-check';
import { contactOf, identityIn, phoneIn, placeholderEmail, recipientOf, userIdIn } from './chat-identity';

const USER_ID = 'ES.13491208655302741918';

test.each([
  ['34600123456', '+34600123456'],
  ['+34600123456', '+34600123456'],
  ['1234567', '+1234567'],
])('%s is a phone number', (text, phone) => {
  expect(phoneIn(text)).toBe(phone);
  expect(identityIn(text)).toEqual({ kind: 'phone', value: phone });
});

test.each([
  USER_ID,
  'US.ENT.11815799212886844830',
  'abc',
  '+1',
  '123456',
  '0034600123456',
  '1234567890123456',
  '++34600123456',
  '٣٤٦٠٠١٢٣٤٥٦',
])('%s is no phone number, and so a user id', (text) => {
  expect(phoneIn(text)).toBeNull();
  expect(identityIn(text)).toEqual({ kind: 'user', value: text });
});

test.each([
  '',
  ' ',
  'ES.1 ',
  'ES.1\n',
  'ES.\u200b1',
  '\0',
  '\ud800',
  'x'.repeat(201),
  null,
  undefined,
  5,
  {},
  [],
])('%j is neither', (value) => {
  expect(identityIn(value)).toBeNull();
  expect(userIdIn(value)).toBeNull();
});

test('any text is a number with its digits, an id unchanged, or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\+?\d{1,20}$/)), (text) => {
      const identity = identityIn(text);
      if (identity?.kind === 'phone') {
        expect(identity.value).toMatch(/^\+[1-9]\d{6,14}$/);
        expect([text, `+${text}`]).toContain(identity.value);
      } else if (identity) expect(identity.value).toBe(text);
    }),
  );
});

test('the number is written to where both are known', () => {
  expect(recipientOf({ phone: '+34600123456', userId: USER_ID })).toEqual({
    kind: 'phone',
    value: '+34600123456',
  });
  expect(recipientOf({ phone: null, userId: USER_ID })).toEqual({ kind: 'user', value: USER_ID });
  expect(recipientOf({ phone: null, userId: null })).toBeNull();
  expect(contactOf({ kind: 'user', value: USER_ID })).toEqual({ phone: null, userId: USER_ID });
});

describe('the address of someone without one', () => {
  const emailOf = (value: string) => placeholderEmail({ kind: 'user', value });

  test('shows the number or id where it can', () => {
    expect(placeholderEmail({ kind: 'phone', value: '+34600123456' })).toBe('34600123456@whatsapp.invalid');
    expect(emailOf(USER_ID)).toBe(`${USER_ID}@whatsapp.invalid`);
  });

  test('is a valid one for any id, and different for different ids, case ignored', () => {
    const id = fc.oneof(
      fc.stringMatching(/^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/),
      fc.string({ minLength: 1, maxLength: 200 }),
    );
    fc.assert(
      fc.property(id, id, (one, other) => {
        for (const each of [one, other]) {
          expect(emailOf(each)).toMatch(/^[A-Za-z\d]+(\.[A-Za-z\d]+)*@whatsapp\.invalid$/);
          expect(emailOf(each).indexOf('@')).toBeLessThanOrEqual(64);
        }
        expect(emailOf(one).toLowerCase() === emailOf(other).toLowerCase()).toBe(one === other);
      }),
    );
    expect(emailOf('ES.a').toLowerCase()).not.toBe(emailOf('ES.A').toLowerCase());
  });
});
