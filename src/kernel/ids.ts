import { randomFillSync } from 'node:crypto';

/**
 * A TypeID (https://github.com/jetify-com/typeid, version 0.3): a prefix for the kind of object, and a UUIDv7 in
 * lower-case Crockford base32. The database stores the UUID without the prefix.
 */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

export type WorkspaceId = Id<'ws'>;
export type UserId = Id<'user'>;
export type ApiKeyId = Id<'key'>;
export type LeadId = Id<'lead'>;
export type LostReasonId = Id<'reason'>;
export type LeadFieldId = Id<'field'>;
export type ProposalId = Id<'prop'>;
export type MessageId = Id<'msg'>;
export type SpaceId = Id<'space'>;
export type CalendarEventId = Id<'cal'>;
export type HoldId = Id<'hold'>;
export type EventId = Id<'evt'>;
export type WebhookId = Id<'wh'>;
export type DeliveryId = Id<'del'>;
export type AppId = Id<'app'>;
export type InstallationId = Id<'inst'>;
export type InvitationId = Id<'inv'>;
export type AuditRecordId = Id<'aud'>;
export type LoggedRequestId = Id<'req'>;
export type ChannelId = Id<'chan'>;
export type ImportId = Id<'imp'>;
export type FileId = Id<'file'>;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SUFFIX_LENGTH = 26;
const DIGIT_VALUES = new Int8Array(128).fill(-1);
[...ALPHABET].forEach((digit, value) => (DIGIT_VALUES[digit.charCodeAt(0)] = value));

/** The ids of one process sort by creation, even within a millisecond. */
export function newId<Prefix extends string>(prefix: Prefix): Id<Prefix> {
  return `${prefix}_${encode(uuidV7(Date.now()))}`;
}

/** The id in `text`, or undefined for anything else. */
export function parseId<Prefix extends string>(prefix: Prefix, text: string): Id<Prefix> | undefined {
  if (text.length !== prefix.length + 1 + SUFFIX_LENGTH || !text.startsWith(`${prefix}_`)) return undefined;
  const start = prefix.length + 1;
  // 26 digits of 5 bits hold 130 bits: the first digit of a 128-bit value is at most 7.
  if (text.charCodeAt(start) > 0x37) return undefined;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127 || DIGIT_VALUES[code] === -1) return undefined;
  }
  return text as Id<Prefix>;
}

/** The UUID that is stored for an id. */
export function toUuid(id: Id<string>): string {
  const start = id.length - SUFFIX_LENGTH;
  const bytes = Buffer.alloc(16);
  let pending = 0;
  let pendingBits = -2; // the two leading bits of the 130 are always zero
  let position = 0;
  for (let index = start; index < id.length; index++) {
    pending = (pending << 5) | DIGIT_VALUES[id.charCodeAt(index)]!;
    pendingBits += 5;
    if (pendingBits >= 8) {
      pendingBits -= 8;
      bytes[position++] = pending >> pendingBits;
      pending &= (1 << pendingBits) - 1;
    }
  }
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Reads the digits one by one: lists make an id for each row, and bytes in between would take twice as long. */
export function fromUuid<Prefix extends string>(prefix: Prefix, uuid: string): Id<Prefix> {
  let text = `${prefix}_`;
  let pending = 0;
  let pendingBits = 2;
  for (let index = 0; index < uuid.length; index++) {
    const code = uuid.charCodeAt(index);
    if (code === 0x2d) continue; // a hyphen
    pending = (pending << 4) | (code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57);
    pendingBits += 4;
    if (pendingBits >= 5) {
      pendingBits -= 5;
      text += ALPHABET.charAt(pending >> pendingBits);
      pending &= (1 << pendingBits) - 1;
    }
  }
  return text as Id<Prefix>;
}

function encode(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let pendingBits = 2;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      text += ALPHABET.charAt(pending >> pendingBits);
      pending &= (1 << pendingBits) - 1;
    }
  }
  return text;
}

// Random bytes for many ids at once: sixteen bytes at a time cost ten times as much.
const pool = Buffer.alloc(4096);
let used = pool.length;

function randomBytes16(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return Uint8Array.prototype.slice.call(pool, used, (used += 16));
}

let lastMillisecond = 0;
let counter = 0;

/** UUIDv7 by RFC 9562 section 5.7; `rand_a` is a counter within the millisecond (section 6.2, method 1). */
function uuidV7(now: number): Uint8Array {
  const bytes = randomBytes16();
  if (now > lastMillisecond) {
    lastMillisecond = now;
    counter = ((bytes[6]! & 0x07) << 8) | bytes[7]!;
  } else if (++counter > 0xfff) {
    lastMillisecond++;
    counter = 0;
  }
  let rest = lastMillisecond;
  for (let index = 5; index >= 0; index--) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes[6] = 0x70 | (counter >> 8);
  bytes[7] = counter & 0xff;
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes;
}
