import { RateLimited } from '../../../kernel/errors';
import type { Configuration } from '../../../platform/config/configuration';
import type { SecretBox } from '../../../platform/encryption/secret-box';
import { FlexibleRateLimiter } from '../../../platform/rate-limiting/flexible-rate-limiter';
import { RateLimitedGuesses } from './rate-limited-guesses';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

let guesses: RateLimitedGuesses;
beforeEach(() => {
  jest.useFakeTimers();
  const rateLimits = { reads: 1, writes: 1, address: 1 };
  const configuration = { rateLimits, publicRateLimits: { pages: 1, files: 1 } } as Configuration;
  const secrets = { sign: (text: string) => Buffer.from(text).toString('base64url') } as unknown as SecretBox;
  guesses = new RateLimitedGuesses(new FlexibleRateLimiter(configuration), secrets);
});
afterEach(() => jest.useRealTimers());

const attempt = { email: 'ana@example.com', address: '203.0.113.7' };
async function isAllowed(fields: Partial<typeof attempt & { knownBrowser: string }> = {}): Promise<boolean> {
  try {
    await guesses.count({ ...attempt, ...fields });
    return true;
  } catch (error) {
    if (error instanceof RateLimited) return false;
    throw error;
  }
}
/** From another address each time. */
const fromEverywhere = async (count: number) => {
  for (let index = 0; index < count; index++) await isAllowed({ address: `10.0.0.${index}` });
};

test('a window ends by itself, however much somebody goes on trying', async () => {
  for (let count = 0; count < 10; count++) expect(await isAllowed()).toBe(true);
  for (let waited = 0; waited < QUARTER_MS; waited += MINUTE_MS) {
    expect(await isAllowed()).toBe(false);
    jest.advanceTimersByTime(MINUTE_MS);
  }
  expect(await isAllowed()).toBe(true);
});

test('an account that is tried from everywhere is open again after an hour', async () => {
  await fromEverywhere(101);
  expect(await isAllowed()).toBe(false);
  jest.advanceTimersByTime(HOUR_MS - QUARTER_MS);
  expect(await isAllowed()).toBe(false);
  jest.advanceTimersByTime(QUARTER_MS);
  expect(await isAllowed()).toBe(true);
});

test('the wait that is told is the wait that is needed', async () => {
  for (let count = 0; count < 10; count++) await isAllowed();
  const error = await guesses.count(attempt).catch((thrown: unknown) => thrown);
  jest.advanceTimersByTime((error as RateLimited).retryAfterSeconds * 1000);
  expect(await isAllowed()).toBe(true);
});

test('a mark opens the door for the address alone that it was given for', async () => {
  const mark = guesses.markOf('Ana@example.com');
  await fromEverywhere(101);
  expect(await isAllowed({ knownBrowser: mark })).toBe(true);
  for (const knownBrowser of ['', '.', 'x', mark.slice(0, -1), `${mark}x`, guesses.markOf('eve@example.com')])
    expect(await isAllowed({ knownBrowser })).toBe(false);
});

test('five mails an hour may go to one person, whatever the case of their address', async () => {
  const addresses = [
    'ana@example.com',
    'Ana@example.com',
    'ANA@EXAMPLE.COM',
    'ana@example.com',
    'ana@Example.com',
  ];
  for (const address of addresses) expect(await guesses.allowsMail(address)).toBe(true);
  expect(await guesses.allowsMail('ana@example.com')).toBe(false);
  expect(await guesses.allowsMail('eve@example.com')).toBe(true);
  jest.advanceTimersByTime(HOUR_MS);
  expect(await guesses.allowsMail('ana@example.com')).toBe(true);
});
