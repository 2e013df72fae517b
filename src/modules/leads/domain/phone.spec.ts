import fc from 'fast-check';
import { normalisePhone } from './phone';

describe('a phone number', () => {
  test('comes out as a plus sign and 7 to 15 digits, or not at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'+0123456789 -.()x\n٣'), maxLength: 24 }), (text) => {
        const phone = normalisePhone(text);
        if (phone !== undefined) expect(phone).toMatch(/^\+[1-9][0-9]{6,14}$/);
        else expect(text.replace(/[ \-.()]/g, '')).not.toMatch(/^\+[1-9][0-9]{6,14}$(?!\n)/);
      }),
      { numRuns: 2000 },
    );
  });

  test('once normalised stays the same', () => {
    for (const text of ['+44 (20) 7946-0958', '+1.415.555.2671']) {
      const phone = normalisePhone(text)!;
      expect(normalisePhone(phone)).toBe(phone);
    }
  });

  test('loses separators, and nothing else', () => {
    expect(normalisePhone('+34 600-123.456')).toBe('+34600123456');
    expect(normalisePhone('+34600123456\n')).toBeUndefined();
    expect(normalisePhone('+34\u2013600123456')).toBeUndefined();
  });
});
