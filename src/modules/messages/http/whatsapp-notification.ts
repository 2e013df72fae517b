import { parseId } from '../../../kernel/ids';
import type { Report, Subject } from '../application/change-message';
import type { Sender } from '../application/contacts';
import type { IncomingMessage } from '../application/receive-message';
import { type ChatContact, phoneIn, userIdIn } from '../domain/chat-identity';
import type { Progress } from '../domain/message';
import { explain } from '../domain/whatsapp-errors';
import { describe, isObject, type Json, numberOf, objects, textOf } from './whatsapp-descriptions';
import { readSenders } from './whatsapp-senders';

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
  /** How many messages name no sender, or have no id to know them by. They can't be kept. */
  readonly anonymous: number;
  readonly statuses: readonly Json[];
}

export interface ReceivedEntry {
  readonly providerId: string;
  readonly sender: Sender;
  readonly message: Json;
}

export interface StatusReport {
  readonly subject: Subject;
  readonly report: Report;
  /** The number and user id of the recipient, as far as they are shown. */
  readonly recipient: ChatContact;
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
  const messages = values.flatMap(entriesOf);
  const entries = messages.filter((entry) => entry !== undefined);
  return {
    messages: entries,
    anonymous: messages.length - entries.length,
    statuses: values.flatMap(({ statuses }) => objects(statuses)),
  };
}

/** Undefined for a message that can't be kept: without an id there is no telling whether it came before. */
function entriesOf({ messages, contacts }: Json): (ReceivedEntry | undefined)[] {
  const senderOf = readSenders(contacts);
  return objects(messages).map((message) => {
    const providerId = textOf(message.id);
    const sender = senderOf(message);
    return providerId && sender ? { providerId, sender, message } : undefined;
  });
}

export function toMessage({ providerId, sender, message }: ReceivedEntry, now: Date): IncomingMessage {
  return { providerId, sender, ...describe(message), sentAt: timeOf(message.timestamp, now) };
}

/** Undefined when the status tells nothing that is kept. */
export function toReport(status: Json, now: Date): StatusReport | undefined {
  const providerId = textOf(status.id);
  const name = textOf(status.status);
  if (!providerId || !name) return undefined;
  const messageId = parseId('msg', textOf(status.biz_opaque_callback_data) ?? '');
  const recipient = { phone: phoneIn(status.recipient_id), userId: userIdIn(status.recipient_user_id) };
  const subject: Subject = {
    providerId,
    contact: recipient.phone,
    ...(messageId && { messageId }),
  };
  if (name === 'failed') {
    const code = numberOf(objects(status.errors)[0]?.code);
    const isCode = Number.isSafeInteger(code) && code !== 0;
    return { subject, recipient, report: { kind: 'failed', error: explain(isCode ? code : undefined) } };
  }
  const progress = Object.hasOwn(PROGRESS, name) ? PROGRESS[name] : undefined;
  return (
    progress && {
      subject,
      recipient,
      report: { kind: 'reached', progress, at: timeOf(status.timestamp, now) },
    }
  );
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
