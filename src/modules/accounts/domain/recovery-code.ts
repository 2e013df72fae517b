import { createHash, randomBytes } from 'node:crypto';

export const RECOVERY_CODE_COUNT = 10;

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 16;

/** 80 random bits in four groups, of letters and digits that don't look alike. */
export function newRecoveryCode(): string {
  const digits = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]!).join('');
  return digits.replace(/.{4}(?=.)/g, '$&-');
}

/** Whether the text looks like a recovery code rather than a code of an authenticator app. */
export function isRecoveryCode(text: string): boolean {
  return plain(text).length === LENGTH;
}

/** The hash that is stored. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(plain(code)).digest();
}

function plain(code: string): string {
  return code.toLowerCase().replace(/[\s-]/g, '');
}
