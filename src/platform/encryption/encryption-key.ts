import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const KEY_BYTES = 32;

/** Parses `ENCRYPTION_KEY`: 32 bytes in base64 or hexadecimal. Undefined if the text is neither. */
export function parseEncryptionKey(text: string): Buffer | undefined {
  const encoding = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64';
  if (encoding === 'base64' && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  return Buffer.from(text, encoding);
}

/** The key in the data directory, created if it is missing. Processes that start together get the same key. */
export function localEncryptionKey(dataDirectory: string): Buffer {
  const path = join(dataDirectory, 'encryption-key');
  try {
    return readKey(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dataDirectory, { recursive: true });
  // The name isn't based on the process id: containers that share a volume may all have the same one.
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600 });
  try {
    // Unlike a rename, a link fails if another process was first, and nobody ever sees an incomplete file.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readKey(path);
}

function readKey(path: string): Buffer {
  const key = parseEncryptionKey(readFileSync(path, 'utf8').trim());
  if (!key) throw new Error(`${path} does not contain a valid key. Restore it from a backup.`);
  return key;
}
