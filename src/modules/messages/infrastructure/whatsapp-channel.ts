import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { ConnectionRepository, TemplateRepository } from '../application/connection';
import { MessageChannel, type OutgoingMessage, type SendOutcome } from '../application/message-channel';
import { phoneIn } from '../domain/chat-identity';
import type { TemplateUse } from '../domain/message';
import { DISCONNECTED } from '../domain/message-error';
import type { Template } from '../domain/template';
import { type ApiAnswer, NoAnswer, WhatsAppApi } from './whatsapp-api';
import { explain, isTemporary } from '../domain/whatsapp-errors';

const WINDOW_MS = 24 * 3600 * 1000;

/** The WhatsApp Business Cloud API. */
@Injectable()
export class WhatsAppChannel extends MessageChannel {
  readonly name = 'whatsapp';

  constructor(
    private readonly connections: ConnectionRepository,
    private readonly templateRepository: TemplateRepository,
    private readonly api: WhatsAppApi,
  ) {
    super();
  }

  async isConnected(ref: WorkspaceRef): Promise<boolean> {
    return (await this.connections.find(ref)) !== undefined;
  }

  takesText(_: string | null, lastReceivedAt: Date | undefined, now: Date): boolean {
    return lastReceivedAt !== undefined && now.getTime() - lastReceivedAt.getTime() < WINDOW_MS;
  }

  templates(ref: WorkspaceRef): Promise<Template[]> {
    return this.templateRepository.list(ref);
  }

  async send(ref: WorkspaceRef, message: OutgoingMessage, depart: () => Promise<void>): Promise<SendOutcome> {
    const { connection, body } = await this.prepare(ref, message);
    if (!connection) return { kind: 'refused', error: DISCONNECTED };
    const { phoneNumberId, accessToken } = connection;
    let hasLeft = false as boolean;
    const leave = async () => {
      await depart();
      hasLeft = true;
    };
    try {
      return outcomeOf(await this.api.post(`/${phoneNumberId}/messages`, accessToken, body, leave));
    } catch (error) {
      if (hasLeft) return { kind: 'ambiguous' };
      if (error instanceof NoAnswer) return { kind: 'later', retryAfterMs: 0 };
      throw error;
    }
  }

  private async prepare(ref: WorkspaceRef, message: OutgoingMessage) {
    const connection = await this.connections.find(ref);
    const { template } = message;
    const known = template && (await this.templates(ref)).find((each) => isOf(each, template));
    return { connection, body: requestBody(message, known ?? undefined) };
  }
}

function isOf({ name, language }: Template, use: TemplateUse): boolean {
  return name === use.name && language === use.language;
}

/**
 * The body of POST /<phone number id>/messages, with a phone number in `to` or a user id in `recipient`. WhatsApp would accept
 * a user id in `to`, and drop the message.
 *
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
 */
function requestBody(
  { id, phone, channelUserId, text, template }: OutgoingMessage,
  known: Template | undefined,
): object {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...(phone === null ? { recipient: channelUserId } : { to: phone }),
    // Returned with every report, so that a report finds its message even if the answer to this request was lost.
    biz_opaque_callback_data: id,
    ...(template
      ? { type: 'template', template: templateBody(template, known) }
      : { type: 'text', text: { preview_url: false, body: text } }),
  };
}

function templateBody({ name, language, variables }: TemplateUse, known: Template | undefined): object {
  const headerNames = known?.headerVariables ?? [];
  const bodyNames = known?.bodyVariables ?? variables.map((_, index) => String(index + 1));
  const component = (type: string, names: readonly string[], values: string[]) =>
    names.length === 0
      ? []
      : [
          {
            type,
            parameters: names.map((variable, index) => ({
              type: 'text',
              ...(!/^\d+$/.test(variable) && { parameter_name: variable }),
              text: values[index],
            })),
          },
        ];
  const components = [
    ...component('header', headerNames, variables.slice(0, headerNames.length)),
    ...component('body', bodyNames, variables.slice(headerNames.length)),
  ];
  return { name, language: { code: language }, ...(components.length && { components }) };
}

/**
 * After an answer with an error of the provider's own, certainly nothing was sent. A 5xx without such an error comes from a
 * gateway, which may have passed the request on.
 */
function outcomeOf({ status, body, retryAfterMs }: ApiAnswer): SendOutcome {
  if (status >= 200 && status < 300) return receiptIn(body);
  const code = errorCode(body);
  if (status === 429 || (code !== undefined && isTemporary(code))) return { kind: 'later', retryAfterMs };
  if (status >= 500 && code === undefined) return { kind: 'ambiguous' };
  return { kind: 'refused', error: explain(code) };
}

function receiptIn(body: ApiAnswer['body']): SendOutcome {
  const [message] = (body?.messages ?? []) as { id?: unknown }[];
  const [contact] = (body?.contacts ?? []) as { wa_id?: unknown }[];
  if (typeof message?.id !== 'string' || message.id === '') return { kind: 'ambiguous' };
  return { kind: 'sent', providerId: message.id, contact: phoneIn(contact?.wa_id) };
}

export function errorCode(body: ApiAnswer['body']): number | undefined {
  const code = (body?.error as { code?: unknown } | undefined)?.code;
  return typeof code === 'number' ? code : undefined;
}
