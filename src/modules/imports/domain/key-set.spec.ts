import fc from 'fast-check';
import { KeySet } from './key-set';

test('knows the texts that were added, as a Set does', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 }), { maxLength: 300 }), (texts) => {
      const keys = new KeySet();
      const set = new Set<string>();
      for (const text of texts) {
        expect(keys.has(text)).toBe(set.has(text));
        expect(keys.add(text)).toBe(!set.has(text));
        set.add(text);
      }
    }),
  );
});

test('100,000 texts are each new once', () => {
  const keys = new KeySet();
  for (let pass = 0; pass < 2; pass++) {
    let added = 0;
    for (let index = 0; index < 100_000; index++) if (keys.add(`lead${index}@example.com`)) added++;
    expect(added).toBe(pass === 0 ? 100_000 : 0);
  }
});
