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
  // A voice message was listened to.
  played: 'read',
};

/** Limit of lists, objects and members in a notification: several times those of a thousand updates. */
const MAX_TOKENS = 100_000;
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** The entries of a notification for one number, not parsed yet: that costs more than finding them. */
export interface Notification {
  readonly messages: readonly ReceivedEntry[];
  /** The number of messages without a sender or id, which can't be stored. */
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
  /** The number and user id of the recipient, if the channel shows them. */
  readonly recipient: ChatContact;
}

/**
 * The entries for one number; undefined for anything but a JSON object of usual size. All of its members are optional, so
 * that an unknown kind of entry doesn't keep the others from being read.
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

/** Undefined for a message that can't be stored: without an id, its repetitions couldn't be recognised. */
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

/** Undefined for a status that isn't stored. */
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

/** A rough count before parsing, since megabytes of empty lists would block the event loop. */
function holdsTooMuch(bytes: Buffer): boolean {
  let tokens = 0;
  for (let index = 0; index < bytes.length && tokens <= MAX_TOKENS; index++) {
    const byte = bytes[index];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) tokens++;
  }
  return tokens > MAX_TOKENS;
}
