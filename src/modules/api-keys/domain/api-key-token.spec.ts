import { hashSecretToken } from '../../../kernel/secret-token';
import { isWellFormed, newToken } from './api-key-token';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('the text of a key', () => {
  test('names its mode and is well-formed', () => {
    for (const mode of ['live', 'test'] as const) {
      const token = newToken(mode);
      expect(token).toMatch(new RegExp(`^gala_${mode}_[0-9A-Za-z]{38}$`));
      expect(isWellFormed(token)).toBe(true);
    }
  });

  test('with any one character changed, or two swapped, is told as mistyped', () => {
    const token = newToken('live');
    for (let index = 0; index < token.length; index++) {
      for (const digit of DIGITS) {
        const changed = token.slice(0, index) + digit + token.slice(index + 1);
        if (changed !== token) expect(isWellFormed(changed)).toBe(false);
      }
      const [one, other] = [token[index]!, token[index + 1] ?? ''];
      const swapped = token.slice(0, index) + other + one + token.slice(index + 2);
      if (swapped !== token && other) expect(isWellFormed(swapped)).toBe(false);
    }
  });

  test.each(['', 'gala_live_', 'gala_live_x', 'gala_prod_0', ' ', '\n'])('%j is none', (text) => {
    expect(isWellFormed(text)).toBe(false);
  });

  test('must be whole, with nothing around it', () => {
    const token = newToken('test');
    for (const text of [` ${token}`, `${token}\n`, `${token}0`, token.slice(1), token.toUpperCase()]) {
      expect(isWellFormed(text)).toBe(false);
    }
  });

  test('is random in every place, and uses all digits alike', () => {
    const randoms = Array.from({ length: 2000 }, () => newToken('live').slice('gala_live_'.length, -6));
    expect(new Set(randoms).size).toBe(2000);
    const counts = new Map<string, number>();
    for (const digit of randoms.join('')) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 64,000 digits: 1,032 of each are expected, and a deviation beyond 250 hardly ever comes by chance.
    for (const count of counts.values()) expect(Math.abs(count - 64_000 / 62)).toBeLessThan(250);
  });

  test('is stored as a SHA-256, which differs with every character', () => {
    const token = newToken('live');
    expect(hashSecretToken(token)).toHaveLength(32);
    expect(hashSecretToken(token).equals(hashSecretToken(token))).toBe(true);
    expect(hashSecretToken(token).equals(hashSecretToken(`${token.slice(0, -1)}_`))).toBe(false);
  });
});
