import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in base64url (43 characters): sessions, links. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored in place of a random secret. With so much randomness a plain hash can't be reversed by trying. */
export function hashSecretToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether two secrets are the same, in a time that doesn't tell where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hashSecretToken(one), hashSecretToken(other));
}
