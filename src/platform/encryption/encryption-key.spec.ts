import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { transformFileSync } from '@swc/core';
import { localEncryptionKey, parseEncryptionKey } from './encryption-key';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'gala-key-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const file = () => join(directory, 'encryption-key');

test.each(['hex', 'base64', 'base64url'] as const)('32 bytes in %s are a key', (encoding) => {
  for (let count = 0; count < 50; count++) {
    const key = randomBytes(32);
    expect(parseEncryptionKey(key.toString(encoding))).toEqual(key);
    expect(parseEncryptionKey(key.toString(encoding).replace(/=$/, ''))).toEqual(key);
  }
});

test.each([
  'secret',
  '',
  randomBytes(31).toString('hex'),
  randomBytes(33).toString('base64'),
  randomBytes(24).toString('base64'),
  `${randomBytes(32).toString('hex')} `,
  'ä'.repeat(43),
])('%p is not a key', (text) => expect(parseEncryptionKey(text)).toBeUndefined());

test('a missing key is created, readable only by its owner, and kept', () => {
  const below = join(directory, 'data');
  const key = localEncryptionKey(below);
  expect(key).toHaveLength(32);
  expect(localEncryptionKey(below)).toEqual(key);
  expect(readdirSync(below)).toEqual(['encryption-key']);
  if (process.platform !== 'win32') expect(statSync(join(below, 'encryption-key')).mode & 0o777).toBe(0o600);
});

test('a file without a valid key isn’t changed, and the message names it', () => {
  writeFileSync(file(), 'oops');
  expect(() => localEncryptionKey(directory)).toThrow(file());
  expect(readFileSync(file(), 'utf8')).toBe('oops');
});

test('concurrent starts use the same key, even with equal process ids', async () => {
  const { code } = transformFileSync(join(__dirname, 'encryption-key.ts'), {
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  });
  const start = new Int32Array(new SharedArrayBuffer(4));
  // The processes wait for each other, so that none finishes before the others start.
  const program = `${code}
    const { parentPort, workerData } = require('node:worker_threads');
    Atomics.add(workerData.start, 0, 1);
    while (Atomics.load(workerData.start, 0) < workerData.count);
    parentPort.postMessage(localEncryptionKey(workerData.directory).toString('hex'));`;
  const count = 4;
  const keys = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<string>((resolve, reject) => {
          const worker = new Worker(program, { eval: true, workerData: { start, count, directory } });
          worker.once('message', resolve).once('error', reject);
        }),
    ),
  );
  expect(new Set(keys)).toEqual(new Set([localEncryptionKey(directory).toString('hex')]));
  expect(readdirSync(directory)).toEqual(['encryption-key']);
});
