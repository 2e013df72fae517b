import { createHash, randomBytes } from 'node:crypto';

export const RECOVERY_CODE_COUNT = 10;

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 16;

/** 80 random bits, as four groups of letters and digits that can't be taken for each other. */
export function newRecoveryCode(): string {
  const digits = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]!).join('');
  return digits.replace(/.{4}(?=.)/g, '$&-');
}

/** Whether someone means a recovery code rather than one of an authenticator app. */
export function isRecoveryCode(text: string): boolean {
  return plain(text).length === LENGTH;
}

/** What is stored in its place. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(plain(code)).digest();
}

function plain(code: string): string {
  return code.toLowerCase().replace(/[\s-]/g, '');
}
