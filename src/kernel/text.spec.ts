import fc from 'fast-check';
import { codePoints, textProblem } from './text';

describe('textProblem', () => {
  test('finds NUL and unpaired surrogates, wherever they stand', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        fc.pre(!`${before}${after}`.includes('\0'));
        expect(textProblem(`${before}${after}`)).toBeUndefined();
        expect(textProblem(`${before}\0${after}`)).toContain('U+0000');
        expect(textProblem(`${before}\ud800 ${after}`)).toContain('surrogates');
        expect(textProblem(`${before} \udfff${after}`)).toContain('surrogates');
      }),
    );
  });

  test('passes exactly what survives UTF-8 unchanged and has no NUL', () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(units, (text) => {
        const survives = Buffer.from(text).toString() === text && !text.includes('\0');
        expect(textProblem(text) === undefined).toBe(survives);
      }),
    );
  });
});

describe('codePoints', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['😀', 1],
    ['👩‍👩‍👧', 5],
    ['🇪🇸', 2],
    ['\ud800', 1],
    ['\ud800\ud800\udc00', 2],
  ])('counts %j as %i', (text, count) => {
    expect(codePoints(text)).toBe(count);
  });

  test('counts what a spread of the text holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(codePoints(text)).toBe([...text].length);
      }),
    );
  });
});
