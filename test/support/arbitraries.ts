import fc from 'fast-check';

/** Text that can be stored: any script, no NUL, not blank, from 1 to `max` code points. */
export function storableText(max: number): fc.Arbitrary<string> {
  return fc
    .string({
      unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom(...ODD)),
      minLength: 1,
      maxLength: max,
    })
    .filter((text) => text.trim() !== '' && !text.includes('\0'));
}

/** Characters that some layer tends to trip over. */
const ODD = [
  ' ',
  '\t',
  '\n',
  '\r',
  '"',
  "'",
  '\\',
  '%',
  '_',
  '{',
  '}',
  ',',
  'İ',
  'ß',
  'é',
  '\u0301',
  '😀',
  '\u2028',
  '\ufeff',
  '$1',
  '\u202e',
].filter((text) => [...text].length === 1);
