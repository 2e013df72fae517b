import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';

export type MessageBody = any;

/** Of the simulator: docs/messages.md. */
export const MAGIC = {
  delivered: '+15005550001',
  read: '+15005550002',
  unknown: '+15005550003',
  limited: '+15005550004',
  slow: '+15005550005',
  replies: '+15005550006',
  closed: '+15005550007',
  lost: '+15005550008',
};

export function leadWith(client: Client, phone: string | null): Promise<LeadBody> {
  return createLead(client, { phone });
}

export function send(client: Client, leadId: string, text = 'Hello'): Promise<Answer> {
  return client.post('/v1/messages', { leadId, text });
}

/** Waits until the message is as expected. */
export async function message(
  client: Client,
  id: string,
  isAsExpected: (message: MessageBody) => boolean,
  patienceMs = 10_000,
): Promise<MessageBody> {
  let last: MessageBody = null;
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt;) {
    last = (await client.get(`/v1/messages/${id}`)).body;
    if (isAsExpected(last)) return last;
    await sleep(25);
  }
  throw new Error(`The message never was as expected: ${JSON.stringify(last)}`);
}

export function withStatus(client: Client, id: string, status: string): Promise<MessageBody> {
  return message(client, id, (each) => each.status === status);
}

export async function conversation(client: Client, leadId: string): Promise<MessageBody[]> {
  const { status, body } = await client.get(`/v1/messages?leadId=${leadId}&sort=createdAt&limit=100`);
  expect(status).toBe(200);
  return body.data;
}

/** Waits until the lead's conversation holds that many messages. */
export async function conversationOf(client: Client, leadId: string, count: number): Promise<MessageBody[]> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await conversation(client, leadId);
    if (found.length >= count) return found;
    await sleep(25);
  }
  throw new Error(`There never were ${count} messages.`);
}
