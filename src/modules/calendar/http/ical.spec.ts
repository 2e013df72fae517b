import fc from 'fast-check';
import { fold } from './ical';

const MAX_OCTETS = 75;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Characters of one to four octets, in lines of every length around the limit. */
const lines = fc.array(
  fc.string({ unit: fc.constantFrom('a', ' ', 'é', '€', '\ufeff', '𝄞', '👩🏽'), maxLength: 200 }),
  { maxLength: 5 },
);

test('folded lines have at most 75 octets, whole characters, and unfold to what they were', () => {
  fc.assert(
    fc.property(lines, (texts) => {
      const text = texts.map((line) => `${line}\r\n`).join('');
      const folded = fold(text);
      expect(strict.decode(folded).replaceAll('\r\n ', '')).toBe(text.replaceAll('\r\n ', ''));
      for (const line of splitLines(folded)) {
        expect(line.length).toBeLessThanOrEqual(MAX_OCTETS);
        expect(() => strict.decode(line)).not.toThrow();
      }
    }),
  );
});

test.each([
  ['a'.repeat(75), 'a'.repeat(75)],
  ['a'.repeat(76), `${'a'.repeat(75)}\r\n a`],
  ['a'.repeat(75 + 74 + 1), `${'a'.repeat(75)}\r\n ${'a'.repeat(74)}\r\n a`],
  ['é'.repeat(38), `${'é'.repeat(37)}\r\n é`],
  [`${'a'.repeat(74)}👍`, `${'a'.repeat(74)}\r\n 👍`],
])('%j', (line, folded) => expect(fold(`${line}\r\n`).toString()).toBe(`${folded}\r\n`));

function splitLines(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf('\r\n'); end !== -1; end = bytes.indexOf('\r\n', start)) {
    parts.push(bytes.subarray(start, end));
    start = end + 2;
  }
  return [...parts, bytes.subarray(start)];
}
