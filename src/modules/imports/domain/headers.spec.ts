import { looksLikeData } from './headers';

describe('looksLikeData', () => {
  test.each([[['Ana', 'ana@example.com']], [['Ana', ' +34 600 123 456 ']]])('recognises %j', (cells) =>
    expect(looksLikeData(cells)).toBe(true),
  );

  test.each([[['Name', 'E-mail (work@home)']], [['a@b', '+1']]])('takes %j for headers', (cells) =>
    expect(looksLikeData(cells)).toBe(false),
  );

  test('does not look for an email in a text that is longer than any', () =>
    expect(looksLikeData([`${'a'.repeat(250)}@example.com`])).toBe(false));
});
