import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../../../kernel/principal';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^gala_(?:live|test)_[0-9A-Za-z]{38}$/;

/**
 * The secret text of an API key: `gala_<mode>_`, 32 random base62 characters (190 bits), and the CRC32 of that in 6 base62
 * characters. The checksum reveals a mistyped or made-up key without a query.
 */
export function newToken(mode: Mode): string {
  const body = `gala_${mode}_${randomBase62(RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/** Whether `text` has the format of a key. Such a key need not exist. */
export function isWellFormed(text: string): boolean {
  return SHAPE.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH));
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Bytes from 248 on are discarded: 256 isn't a multiple of 62, so they would favour the first digits. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
