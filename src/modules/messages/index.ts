import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { ConsentResponse, MessageResponse } from './http/message.dto';
import { MessageSchema } from './infrastructure/message.schema';
import { MessagesModule } from './messages.module';

export type { Credentials } from './application/connection';
export { ManageChannel } from './application/manage-channel';
export { MessageChannel, type OutgoingMessage, type SendOutcome } from './application/message-channel';
export { type MessageFilter, MessageQueries } from './application/message-queries';
export type { MessageSettings } from './application/message-settings';
export { ReceiveQuestion } from './application/receive-question';
export { SendMessage } from './application/send-message';
export type { ChannelName, MessageView, OutgoingContent, TemplateUse } from './domain/message';
export type { MessageError } from './domain/message-error';
export type { Template } from './domain/template';

export const messages: Feature = {
  module: MessagesModule,
  schemas: [MessageSchema],
  scopes: { 'messages:read': 'Read your chat messages', 'messages:write': 'Send chat messages' },
  events: {
    ...readableWith(
      'messages:read',
      {
        'message.queued': 'A message was queued',
        'message.sent': 'A message was sent',
        'message.delivered': 'A message was delivered',
        'message.read': 'A message was read',
        'message.failed': 'A message could not be sent or delivered',
        'message.received': 'A message was received',
      },
      {},
      MessageResponse,
    ),
    ...readableWith(
      'messages:read',
      {
        'contact.opted_out': 'A contact opted out of messages',
        'contact.opted_in': 'A contact opted in to messages again',
      },
      {},
      ConsentResponse,
    ),
  },
};
