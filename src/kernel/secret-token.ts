import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in base64url (43 characters), for sessions and links. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash that is stored instead of a random secret, whose 256 bits can't be guessed from a fast hash. */
export function hashSecretToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares secrets in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hashSecretToken(one), hashSecretToken(other));
}
