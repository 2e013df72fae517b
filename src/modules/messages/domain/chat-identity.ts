import { createHash } from 'node:crypto';
import { spellingsOf } from './phone-spellings';

/**
 * What a chat channel knows someone by: a phone number, or a user id of the channel's own. WhatsApp gives people who hide
 * their number behind a username a business-scoped user id, such as `ES.13491208655302741918`.
 *
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
 */
export interface ChatIdentity {
  readonly kind: 'phone' | 'user';
  readonly value: string;
}

/** The identities of one person; at least one of them isn't null. */
export interface ChatContact {
  /** E.164 with the plus sign. */
  readonly phone: string | null;
  /** As the channel writes it, case included. */
  readonly userId: string | null;
}

/** Everything that one person may be known by: each spelling of their numbers, and their user ids. */
export interface ChatIdentities {
  readonly phones: readonly string[];
  readonly userIds: readonly string[];
}

const PHONE = /^\+?([1-9]\d{6,14})$/;
/** Ids are opaque. Meta's have up to 135 characters; what can't be seen would tell two ids apart that look the same. */
const USER_ID = /^[^\p{C}\p{Z}]{1,200}$/u;
/** Ids that are still different when case is ignored, as it is in e-mail addresses, and that fit into a local part. */
const READABLE_ID = /^(?=.{1,64}$)[A-Z]{2}(\.[A-Z\d]+)+$/;

export function phoneIn(text: unknown): string | null {
  const digits = typeof text === 'string' ? PHONE.exec(text)?.[1] : undefined;
  return digits === undefined ? null : `+${digits}`;
}

/** Never shortened or changed: another id may begin the same. */
export function userIdIn(text: unknown): string | null {
  return typeof text === 'string' && USER_ID.test(text) ? text : null;
}

/** For a field that held phone numbers before there were user ids: whatever isn't a number is an id. */
export function identityIn(text: unknown): ChatIdentity | null {
  const phone = phoneIn(text);
  if (phone !== null) return { kind: 'phone', value: phone };
  const userId = userIdIn(text);
  return userId === null ? null : { kind: 'user', value: userId };
}

/** The identity to write to. Meta recommends the number where both are known. */
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
 * Leads need an e-mail address. In .invalid (RFC 2606) nobody ever has one, and the number or user id keeps it unique; the
 * local part has at most 64 octets (RFC 5321, section 4.5.3.1.1).
 */
export function placeholderEmail({ kind, value }: ChatIdentity): string {
  if (kind === 'phone') return `${value.slice(1)}@whatsapp.invalid`;
  const local = READABLE_ID.test(value) ? value : createHash('sha256').update(value).digest('hex');
  return `${local}@whatsapp.invalid`;
}
