import { isAccessToken, judgeRefresh, newAccessToken, newCode, newRefreshToken } from './tokens';

const rotatedAt = new Date('2027-01-15T09:30:00.000Z');
const after = (milliseconds: number) => new Date(rotatedAt.getTime() + milliseconds);

function judge(presented: number, milliseconds: number, receivedAt = after(milliseconds)) {
  return judgeRefresh(presented, { generation: 5, rotatedAt }, { receivedAt, now: after(milliseconds) });
}

describe('a refresh token', () => {
  test('of the latest generation is good, however late', () => {
    expect(judge(5, 0)).toBe('next');
    expect(judge(5, 10 ** 10)).toBe('next');
  });

  test('of the one before may be used again for 60 seconds', () => {
    expect(judge(4, 200)).toBe('retry');
    expect(judge(4, 60_000)).toBe('retry');
    expect(judge(4, 60_001)).toBe('stolen');
  });

  test('that came before the answer to another request left is neither good nor stolen', () => {
    expect(judge(4, 5, after(-1))).toBe('busy');
    expect(judge(4, 199)).toBe('busy');
    expect(judge(4, 300, after(199))).toBe('busy');
  });

  test('of an older generation is stolen, also within the 60 seconds and under way at once', () => {
    expect(judge(3, 1)).toBe('stolen');
    expect(judge(3, 1, after(-1))).toBe('stolen');
    expect(judge(0, 0)).toBe('stolen');
  });

  test('of the first generation is good before anything was rotated', () => {
    const times = { receivedAt: rotatedAt, now: rotatedAt };
    expect(judgeRefresh(0, { generation: 0, rotatedAt: null }, times)).toBe('next');
  });
});

test('codes and tokens are 256 bits of chance, in characters that any client can send anywhere', () => {
  const made = [newCode, newAccessToken, newRefreshToken].flatMap((make) => [make(), make()]);
  expect(new Set(made).size).toBe(6);
  for (const token of made) expect(token).toMatch(/^gala_(ac|at|rt)_[A-Za-z0-9_-]{43}$/);
  expect(made.map(isAccessToken)).toEqual([false, false, true, true, false, false]);
});
