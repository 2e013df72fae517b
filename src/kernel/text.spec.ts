import fc from 'fast-check';
import { codePoints, distinctTexts, foldText, invisibleCharacter, textProblem } from './text';

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

describe('foldText', () => {
  const texts = fc.string({
    unit: fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.constantFrom(...'İIıiſßςσΣǰΰ\u0301\u0307\u0308'),
    ),
  });

  test('is the same for every spelling of a text: composed or not, in whatever case, folded before or not', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const folded = foldText(text);
        for (const same of [text.normalize('NFD'), text.normalize('NFC'), text.toLowerCase(), folded])
          expect(foldText(same)).toBe(folded);
        expect(folded.normalize('NFC')).toBe(folded);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['Zoe\u0308', 'Zoë', true],
    ['ΣΑΣ', 'σας', true],
    ['\u212a', 'k', true],
    ['İ', 'i\u0307', true],
    ['İ', 'i', false],
    ['ı', 'i', false],
    ['ß', 'ss', false],
  ])('takes %j and %j as equal: %j', (one, other, areEqual) => {
    expect(foldText(one) === foldText(other)).toBe(areEqual);
  });
});

describe('distinctTexts', () => {
  test('keeps the first spelling of each text, in order', () => {
    expect(distinctTexts(['b', 'cafe\u0301', 'B', 'CAFÉ', 'a', 'café'])).toEqual(['b', 'cafe\u0301', 'a']);
  });

  test('keeps a subsequence in which each text occurs once', () => {
    const word = fc.constantFrom('a', 'A', 'é', 'e\u0301', 'É', 'σ', 'ς', 'ß', 'ss', '');
    fc.assert(
      fc.property(fc.array(word), (texts) => {
        const kept = distinctTexts(texts);
        expect(kept.map(foldText)).toEqual([...new Set(texts.map(foldText))]);
        for (const text of kept) expect(text).toBe(texts.find((one) => foldText(one) === foldText(text)));
      }),
    );
  });
});

describe('invisibleCharacter', () => {
  test.each([
    ['a\u200bb', 'U+200B'],
    ['\u202eabc', 'U+202E'],
    ['abc\u00ad', 'U+00AD'],
    ['a\u3000b', 'U+3000'],
    ['a\ufe0f', 'U+FE0F'],
    ['a\u{e0061}', 'U+E0061'],
    ['a\u3164', 'U+3164'],
    ['a\nb', 'U+000A'],
  ])('finds it in %j', (text, name) => {
    expect(invisibleCharacter(text)).toBe(name);
  });

  test.each([
    "o'brien+x@x.ie",
    'zoe\u0308@bücher.example',
    '用户@例え.jp',
    'संपर्क@डाटामेल.भारत',
    '😀@example.com',
  ])('finds none in %j', (text) => {
    expect(invisibleCharacter(text)).toBeUndefined();
  });
});
