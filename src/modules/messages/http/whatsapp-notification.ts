import { parseId } from '../../../kernel/ids';
import type { Report, Subject } from '../application/change-message';
import type { IncomingMessage } from '../application/receive-message';
import type { Progress } from '../domain/message';
import { explain } from '../domain/whatsapp-errors';
import { describe, isObject, type Json, objects, textOf } from './whatsapp-descriptions';

const PROGRESS: Record<string, Progress> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // Of voice messages: listened to.
  played: 'read',
};

export interface Notification {
  readonly messages: IncomingMessage[];
  readonly reports: { subject: Subject; report: Report }[];
}

/**
 * What a notification tells of that number; undefined when it is no JSON object. Everything in it is optional here: a
 * kind of entry that is new must not keep those beside it from being read.
 */
export function readNotification(bytes: Buffer, phoneNumberId: string, now: Date): Notification | undefined {
  const body = parse(bytes);
  if (!body) return undefined;
  const notification: Notification = { messages: [], reports: [] };
  for (const entry of objects(body.entry)) {
    for (const { field, value } of objects(entry.changes)) {
      if (field !== 'messages' || !isObject(value)) continue;
      if (!isObject(value.metadata) || textOf(value.metadata.phone_number_id) !== phoneNumberId) continue;
      const contacts = objects(value.contacts);
      notification.messages.push(
        ...objects(value.messages).flatMap((message) => toMessage(message, contacts, now)),
      );
      notification.reports.push(...objects(value.statuses).flatMap((status) => toReport(status, now)));
    }
  }
  return notification;
}

function toMessage(message: Json, contacts: Json[], now: Date): IncomingMessage[] {
  const providerId = textOf(message.id);
  const from = textOf(message.from);
  // Without an id there is no telling whether it came before.
  if (!providerId || !from) return [];
  const sender = contacts.find((contact) => textOf(contact.wa_id) === from);
  return [
    {
      providerId,
      phone: `+${from.replace(/^\+/, '')}`,
      senderName: isObject(sender?.profile) ? (textOf(sender.profile.name) ?? null) : null,
      ...describe(message),
      sentAt: timeOf(message.timestamp, now),
    },
  ];
}

function toReport(status: Json, now: Date): Notification['reports'] {
  const providerId = textOf(status.id);
  const name = textOf(status.status);
  if (!providerId || !name) return [];
  const messageId = parseId('msg', textOf(status.biz_opaque_callback_data) ?? '');
  const contact = textOf(status.recipient_id);
  const subject: Subject = {
    providerId,
    contact: contact && /^\d{5,20}$/.test(contact) ? `+${contact}` : null,
    ...(messageId && { messageId }),
  };
  if (name === 'failed') {
    const code = objects(status.errors)[0]?.code;
    return [{ subject, report: { kind: 'failed', error: explain(Number(code) || undefined) } }];
  }
  const progress = Object.hasOwn(PROGRESS, name) ? PROGRESS[name] : undefined;
  return progress
    ? [{ subject, report: { kind: 'reached', progress, at: timeOf(status.timestamp, now) } }]
    : [];
}

/** Unix time in seconds, as text. */
function timeOf(value: unknown, now: Date): Date {
  const seconds = Number(value);
  const isUsual = Number.isFinite(seconds) && seconds > 1_000_000_000 && seconds < 10_000_000_000;
  return isUsual && seconds * 1000 < now.getTime() ? new Date(seconds * 1000) : now;
}

function parse(bytes: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
