import fc from 'fast-check';
import { durationInWords } from './duration';

test.each([
  [1, '1 second'],
  [60, '60 seconds'],
  [61, '2 minutes'],
  [896, '15 minutes'],
  [900, '15 minutes'],
  [3540, '59 minutes'],
  [3541, '1 hour'],
  [3600, '1 hour'],
  [3601, '2 hours'],
])('%s seconds are %s', (seconds, words) => expect(durationInWords(seconds)).toBe(words));

test('nobody is told to come back too early', () => {
  const unit = { second: 1, minute: 60, hour: 3600 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seconds) => {
      const [, count, name] = /^(\d+) (second|minute|hour)s?$/.exec(durationInWords(seconds))!;
      expect(Number(count) * unit[name as keyof typeof unit]).toBeGreaterThanOrEqual(seconds);
    }),
  );
});
