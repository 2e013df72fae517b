import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { Configuration } from '../config/configuration';
import type { Database } from '../persistence/database';
import { SecretBox, WrongEncryptionKey } from './secret-box';

/** The only row of `encryption_key`. */
class FakeDatabase {
  fingerprint?: Buffer;

  query({ text, values }: { text: string; values: unknown[] }): Promise<unknown[]> {
    if (text.startsWith('INSERT')) this.fingerprint ??= values[0] as Buffer;
    return Promise.resolve(this.fingerprint ? [{ fingerprint: this.fingerprint }] : []);
  }
}

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

const KEY = randomBytes(32);
const boxWith = (encryptionKey = KEY) =>
  new SecretBox({ encryptionKey } as Configuration, database as unknown as Database);

test('a sealed secret opens at its place, in every instance with the same key', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (text, place) => {
      const secret = text.toWellFormed();
      expect(boxWith().open(await boxWith().seal(secret, place), place)).toBe(secret);
    }),
    { numRuns: 50 },
  );
});

test('sealing a secret gives different bytes each time, which don’t contain it', async () => {
  const box = boxWith();
  const [one, other] = [await box.seal('JBSWY3DPEHPK3PXP', 'a'), await box.seal('JBSWY3DPEHPK3PXP', 'a')];
  expect(one.equals(other)).toBe(false);
  expect(one.includes('JBSWY3DPEHPK3PXP')).toBe(false);
});

test('it doesn’t open at another place, with another key, or with a changed bit', async () => {
  const sealed = await boxWith().seal('secret', 'authenticator of user_a');
  expect(() => boxWith().open(sealed, 'authenticator of user_b')).toThrow();
  expect(() => boxWith(randomBytes(32)).open(sealed, 'authenticator of user_a')).toThrow();
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed[index]! ^= 1;
    expect(() => boxWith().open(changed, 'authenticator of user_a')).toThrow();
  }
  for (let length = 0; length < sealed.length; length++)
    expect(() => boxWith().open(sealed.subarray(0, length), 'authenticator of user_a')).toThrow();
});

test('a start with another key is refused with instructions', async () => {
  await boxWith().seal('secret', 'a');
  await expect(boxWith().verifyKey()).resolves.toBeUndefined();
  await expect(boxWith(randomBytes(32)).verifyKey()).rejects.toThrow(WrongEncryptionKey);
  await expect(boxWith(randomBytes(32)).verifyKey()).rejects.toThrow(/ENCRYPTION_KEY/);
});

test('of two keys on an empty database, the first one that seals is used, and the other is refused', async () => {
  const [one, other] = [boxWith(), boxWith(randomBytes(32))];
  await Promise.all([one.verifyKey(), other.verifyKey()]);
  await one.seal('secret', 'a');
  await expect(other.seal('secret', 'a')).rejects.toThrow(WrongEncryptionKey);
  await one.seal('another', 'a');
});

test('a signature is valid for one text, purpose and key', () => {
  const signature = boxWith().sign('text', 'purpose');
  expect(boxWith().sign('text', 'purpose')).toBe(signature);
  const others = [
    boxWith().sign('text!', 'purpose'),
    boxWith().sign('text', 'another'),
    boxWith(randomBytes(32)).sign('text', 'purpose'),
  ];
  expect(others).not.toContain(signature);
});
