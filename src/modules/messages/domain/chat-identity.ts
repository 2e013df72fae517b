import { createHash } from 'node:crypto';
import { spellingsOf } from './phone-spellings';

/**
 * A person's identity at a chat channel: a phone number or a user id. WhatsApp gives people who hide their number behind a
 * username a business-scoped user id, such as `ES.13491208655302741918`.
 *
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
 */
export interface ChatIdentity {
  readonly kind: 'phone' | 'user';
  readonly value: string;
}

/** The identities of a person; at least one of them isn't null. */
export interface ChatContact {
  /** E.164 with the plus sign. */
  readonly phone: string | null;
  /** As written by the channel; case matters. */
  readonly userId: string | null;
}

/** All identities of a person: each spelling of their numbers, and their user ids. */
export interface ChatIdentities {
  readonly phones: readonly string[];
  readonly userIds: readonly string[];
}

const PHONE = /^\+?([1-9]\d{6,14})$/;
/** User ids are opaque, and Meta's have up to 135 characters. With invisible characters, two ids could look the same. */
const USER_ID = /^[^\p{C}\p{Z}]{1,200}$/u;
/** User ids that fit into an e-mail address: short, and still unique when case is ignored. */
const READABLE_ID = /^(?=.{1,64}$)[A-Z]{2}(\.[A-Z\d]+)+$/;

export function phoneIn(text: unknown): string | null {
  const digits = typeof text === 'string' ? PHONE.exec(text)?.[1] : undefined;
  return digits === undefined ? null : `+${digits}`;
}

/** Never shortened, since another id may begin with the same characters. */
export function userIdIn(text: unknown): string | null {
  return typeof text === 'string' && USER_ID.test(text) ? text : null;
}

/** For fields that held phone numbers before user ids existed: anything but a number is a user id. */
export function identityIn(text: unknown): ChatIdentity | null {
  const phone = phoneIn(text);
  if (phone !== null) return { kind: 'phone', value: phone };
  const userId = userIdIn(text);
  return userId === null ? null : { kind: 'user', value: userId };
}

/** The identity to send to. If both are known it is the number, as Meta recommends. */
export function recipientOf({ phone, userId }: ChatContact): ChatIdentity | null {
  if (phone !== null) return { kind: 'phone', value: phone };
  return userId === null ? null : { kind: 'user', value: userId };
}

export function contactOf({ kind, value }: ChatIdentity): ChatContact {
  return kind === 'phone' ? { phone: value, userId: null } : { phone: null, userId: value };
}

export function spellingsOfAll(phones: readonly string[]): string[] {
  return [...new Set(phones.flatMap(spellingsOf))];
}

/**
 * An e-mail address for a lead without one. No real address ends with .invalid (RFC 2606), and the number or user id makes it
 * unique. A local part has at most 64 octets (RFC 5321 section 4.5.3.1.1).
 */
export function placeholderEmail({ kind, value }: ChatIdentity): string {
  if (kind === 'phone') return `${value.slice(1)}@whatsapp.invalid`;
  const local = READABLE_ID.test(value) ? value : createHash('sha256').update(value).digest('hex');
  return `${local}@whatsapp.invalid`;
}
