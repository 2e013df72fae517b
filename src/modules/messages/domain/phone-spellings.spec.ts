import * as fc from 'fast-check';
import { spellingsOf } from './phone-spellings';

test.each([
  ['+525512345678', '+5215512345678'],
  ['+541112345678', '+5491112345678'],
  ['+551187654321', '+5511987654321'],
])('%s and %s are spellings of the same number', (one, other) => {
  expect(spellingsOf(one)).toEqual([one, other]);
  expect(spellingsOf(other)).toEqual([other, one]);
});

test.each(['+34600123456', '+15215512345', '+551132345678', '+5255123456789012'])(
  '%s has only one spelling',
  (phone) => {
    expect(spellingsOf(phone)).toEqual([phone]);
  },
);

test('every spelling of a number is a valid number with the same spellings', () => {
  const phones = fc.tuple(
    fc.constantFrom('+52', '+521', '+54', '+549', '+55', '+1'),
    fc.stringMatching(/^[1-9]\d{6,10}$/),
  );
  fc.assert(
    fc.property(phones, ([country, rest]) => {
      const phone = `${country}${rest}`.slice(0, 16);
      for (const spelling of spellingsOf(phone)) {
        expect(spelling).toMatch(/^\+[1-9]\d{6,14}$/);
        expect(spellingsOf(spelling).sort()).toEqual(spellingsOf(phone).sort());
      }
    }),
  );
});
