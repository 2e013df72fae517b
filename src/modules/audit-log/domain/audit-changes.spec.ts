import fc from 'fast-check';
import { changesIn } from './audit-changes';

const NOTHING = new Set<string>();

test('a field and what it was before are one change, and other details stand alone', () => {
  const details = {
    name: 'Garden Events',
    previousName: 'Test',
    previousMinutes: null,
    minutes: 15,
    graceSeconds: 3600,
    expiresAt: null,
    successorId: 'key_2',
    isPaused: false,
    scopes: [],
  };
  expect(changesIn(details, NOTHING)).toEqual([
    { field: 'Name', from: 'Test', to: 'Garden Events' },
    { field: 'Minutes', from: 'none', to: '15' },
    { field: 'Grace seconds', to: '3600' },
    { field: 'Successor ID', to: 'key_2' },
    { field: 'Is paused', to: 'no' },
    { field: 'Scopes', to: 'none' },
  ]);
});

test('what the summary tells isn’t told again, and a lone previous value is', () => {
  expect(changesIn({ role: 'admin', previousRole: 'member' }, new Set(['role', 'previousRole']))).toEqual([]);
  expect(changesIn({ previousName: 'Old' }, NOTHING)).toEqual([{ field: 'Previous name', to: 'Old' }]);
});

test('long lists and texts are cut', () => {
  const [list, text] = changesIn({ holds: Array(12).fill('a'), notes: '😀'.repeat(201) }, NOTHING);
  expect(list!.to).toBe(`${Array(10).fill('a').join(', ')} +2`);
  expect(text!.to).toBe(`${'😀'.repeat(200)}…`);
});

test('any details make short texts', () => {
  const detail = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), detail), (details) => {
      for (const { to, from = '' } of changesIn(details, NOTHING)) {
        expect(Math.max([...to].length, [...from].length)).toBeLessThan(240);
      }
    }),
  );
});
