import fc from 'fast-check';
import { type Colour, COLOUR, contrast, LEAST_CONTRAST, mix, readableOn } from './colour';

const colours = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value): Colour => `#${value.toString(16).padStart(6, '0')}`);

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#0000ff', '#ffffff', 8.59],
] as const)('the contrast of %s and %s is %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, one)).toBeCloseTo(ratio, 2);
});

test('a readable colour is one, and stays what it is if it was readable', () =>
  fc.assert(
    fc.property(colours, colours, (ground, colour) => {
      const readable = readableOn(ground, colour);
      expect(readable).toMatch(COLOUR);
      expect(contrast(readable, ground)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      if (contrast(colour, ground) >= LEAST_CONTRAST) expect(readable).toBe(colour);
    }),
  ));

test('a mixture begins and ends with its colours', () => {
  expect(mix('#102030', '#ffffff', 0)).toBe('#102030');
  expect(mix('#102030', '#ffffff', 1)).toBe('#ffffff');
});
