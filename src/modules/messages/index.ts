import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { MessageSchema } from './infrastructure/message.schema';
import { MessagesModule } from './messages.module';

export type { Credentials } from './application/connection';
export { ManageChannel } from './application/manage-channel';
export { MessageChannel, type OutgoingMessage, type SendOutcome } from './application/message-channel';
export type { MessageSettings } from './application/message-settings';
export { SendMessage } from './application/send-message';
export type { ChannelName, OutgoingContent, TemplateUse } from './domain/message';
export type { MessageError } from './domain/message-error';
export type { Template } from './domain/template';

export const messages: Feature = {
  module: MessagesModule,
  schemas: [MessageSchema],
  scopes: { 'messages:read': 'Read your chat messages', 'messages:write': 'Send chat messages' },
  events: readableWith('messages:read', {
    'message.queued': 'A message was taken to be sent',
    'message.sent': 'A message was sent',
    'message.delivered': 'A message reached the phone',
    'message.read': 'A message was read',
    'message.failed': 'A message could not be sent or delivered',
    'message.received': 'A message came in',
    'contact.opted_out': 'Someone doesn’t want messages any more',
    'contact.opted_in': 'Someone wants messages again',
  }),
};
