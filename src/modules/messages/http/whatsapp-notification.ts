import { parseId } from '../../../kernel/ids';
import type { Report, Subject } from '../application/change-message';
import type { IncomingMessage } from '../application/receive-message';
import type { Progress } from '../domain/message';
import { explain } from '../domain/whatsapp-errors';
import { describe, isObject, type Json, numberOf, objects, textOf } from './whatsapp-descriptions';

const PROGRESS: Record<string, Progress> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // Of voice messages: listened to.
  played: 'read',
};

/** Lists, objects and members of one notification: several times what a thousand updates hold. */
const MAX_TOKENS = 100_000;
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** What a notification holds for one number, unread: reading it costs more than finding it. */
export interface Notification {
  readonly messages: readonly ReceivedEntry[];
  readonly statuses: readonly Json[];
}

export interface ReceivedEntry {
  readonly providerId: string;
  readonly from: string;
  readonly senderName: string | null;
  readonly message: Json;
}

export interface StatusReport {
  readonly subject: Subject;
  readonly report: Report;
}

/**
 * What a notification tells of that number; undefined when it is no JSON object, or holds more than any notification
 * does. Everything in it is optional here: a kind of entry that is new must not keep those beside it from being read.
 */
export function readNotification(bytes: Buffer, phoneNumberId: string): Notification | undefined {
  const body = parse(bytes);
  if (!body) return undefined;
  const values = objects(body.entry)
    .flatMap(({ changes }) => objects(changes))
    .filter(({ field }) => field === 'messages')
    .map(({ value }) => value)
    .filter(isObject)
    .filter(({ metadata }) => isObject(metadata) && textOf(metadata.phone_number_id) === phoneNumberId);
  return {
    messages: values.flatMap(entriesOf),
    statuses: values.flatMap(({ statuses }) => objects(statuses)),
  };
}

function entriesOf({ messages, contacts }: Json): ReceivedEntry[] {
  const names = new Map<string, string | null>();
  for (const { wa_id: id, profile } of objects(contacts)) {
    const number = textOf(id);
    if (number !== undefined && !names.has(number))
      names.set(number, isObject(profile) ? (textOf(profile.name) ?? null) : null);
  }
  const entries: ReceivedEntry[] = [];
  for (const message of objects(messages)) {
    const providerId = textOf(message.id);
    const from = textOf(message.from);
    // Without an id there is no telling whether it came before.
    if (providerId && from) entries.push({ providerId, from, senderName: names.get(from) ?? null, message });
  }
  return entries;
}

export function toMessage(
  { providerId, from, senderName, message }: ReceivedEntry,
  now: Date,
): IncomingMessage {
  return {
    providerId,
    phone: `+${from.replace(/^\+/, '')}`,
    senderName,
    ...describe(message),
    sentAt: timeOf(message.timestamp, now),
  };
}

/** Undefined when the status tells nothing that is kept. */
export function toReport(status: Json, now: Date): StatusReport | undefined {
  const providerId = textOf(status.id);
  const name = textOf(status.status);
  if (!providerId || !name) return undefined;
  const messageId = parseId('msg', textOf(status.biz_opaque_callback_data) ?? '');
  const contact = textOf(status.recipient_id);
  const subject: Subject = {
    providerId,
    contact: contact && /^\d{5,20}$/.test(contact) ? `+${contact}` : null,
    ...(messageId && { messageId }),
  };
  if (name === 'failed') {
    const code = numberOf(objects(status.errors)[0]?.code);
    const isCode = Number.isSafeInteger(code) && code !== 0;
    return { subject, report: { kind: 'failed', error: explain(isCode ? code : undefined) } };
  }
  const progress = Object.hasOwn(PROGRESS, name) ? PROGRESS[name] : undefined;
  return progress && { subject, report: { kind: 'reached', progress, at: timeOf(status.timestamp, now) } };
}

/** Unix time in seconds, as text. */
function timeOf(value: unknown, now: Date): Date {
  const seconds = numberOf(value) ?? 0;
  const isUsual = seconds > 1_000_000_000 && seconds < 10_000_000_000;
  return isUsual && seconds * 1000 < now.getTime() ? new Date(seconds * 1000) : now;
}

function parse(bytes: Buffer): Json | undefined {
  if (holdsTooMuch(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A rough count before anything is parsed: megabytes of empty lists would hold the event loop for long. */
function holdsTooMuch(bytes: Buffer): boolean {
  let tokens = 0;
  for (let index = 0; index < bytes.length && tokens <= MAX_TOKENS; index++) {
    const byte = bytes[index];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) tokens++;
  }
  return tokens > MAX_TOKENS;
}
