import fc from 'fast-check';
import { csvRecord, guardCell, joinList, splitList, unguardCell } from './csv-cells';

const SPECIAL = [...`'=+-@\t\r\n＝＋－＠0127,;." abc`];
const texts = fc.string({
  unit: fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
});

describe('guardCell', () => {
  test.each(['=1+1', '+1+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠A1'])(
    'puts an apostrophe before %j',
    (text) => expect(guardCell(text)).toBe(`'${text}`),
  );

  test.each(['-', '+', '--1', '+34-600', '+34 600 ext', '+1+1', "'=1+1", "''=1+1", "'+34600123456"])(
    'guards %j, which is neither a phone nor a number',
    (text) => expect(guardCell(text)).toBe(`'${text}`),
  );

  test.each(['', 'Ana', "o'brien", "'", "'ana'", '1+1', 'a=b', ' =1', '+34600123456', '+34 600 123 456'])(
    'leaves %j',
    (text) => expect(guardCell(text)).toBe(text),
  );

  test.each(['-5', '+5', '-12.50', '-12,50', '-1e-7', '0'])('leaves the number %j', (text) => {
    expect(guardCell(text)).toBe(text);
  });

  test('leaves no cell that a spreadsheet could run, and changes nothing else', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const cell = guardCell(text);
        expect([text, `'${text}`]).toContain(cell);
        if (/^[=@\t\r\n＝＋－＠]|^[+-](?!\d)/.test(text)) expect(cell).toBe(`'${text}`);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('unguardCell', () => {
  test('returns every text from its cell', () => {
    fc.assert(
      fc.property(texts, (text) => expect(unguardCell(guardCell(text))).toBe(text)),
      { numRuns: 5000 },
    );
  });

  test.each([
    ["'+34600123456", '+34600123456'],
    ["'-5", '-5'],
    ["''=1", "'=1"],
    ["'ana'", "'ana'"],
    ["o'brien", "o'brien"],
    ["'", "'"],
    ['=1', '=1'],
  ])('reads %j as %j', (cell, text) => expect(unguardCell(cell)).toBe(text));
});

describe('a list in a cell', () => {
  test('returns every list from its cell', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 6 }), (items) =>
        expect(splitList(joinList(items))).toEqual(items),
      ),
      { numRuns: 5000 },
    );
  });

  test.each([
    [['vip', 'garden'], 'vip; garden'],
    [['a;b', 'c'], '"a;b"; c'],
    [['"x"'], '"""x"""'],
    [[' a'], '" a"'],
    [[], ''],
  ])('writes %j as %j', (items, cell) => expect(joinList(items)).toBe(cell));

  test.each([
    ['vip, garden', ['vip', 'garden']],
    ['vip;garden', ['vip', 'garden']],
    [' vip ;; garden; ', ['vip', 'garden']],
    ['"unclosed; b', ['"unclosed', 'b']],
    ['"a"b; c', ['"a"b', 'c']],
    [' ; ', []],
  ])('reads %j as %j', (cell, items) => expect(splitList(cell)).toEqual(items));
});

describe('csvRecord', () => {
  test.each([
    [['id', 'name'], 'id,name\r\n'],
    [['a,b', 'c"d', 'e\nf', 'g\rh', ' i '], '"a,b","c""d","e\nf","g\rh", i \r\n'],
    [['', ''], ',\r\n'],
    [[''], '""\r\n'],
  ])('writes %j as %j', (cells, record) => expect(csvRecord(cells)).toBe(record));
});
