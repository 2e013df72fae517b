import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { toPageRequest } from '../../../platform/http/page-query';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { MessageQueries } from '../application/message-queries';
import { SendMessage } from '../application/send-message';
import type { MessageView, OutgoingContent } from '../domain/message';
import {
  LEAD,
  ListMessagesQuery,
  MESSAGE,
  MessageResponse,
  SendMessageBody,
  toMessageFilter,
} from './message.dto';
import { shownContact } from './shown-contact';

@Controller('/v1/messages')
@DescribeGroup({
  name: 'Messages',
  description:
    'Conversations with leads over a chat channel: WhatsApp, and in test mode a simulator. What can’t be sent is refused beforehand.',
})
export class MessagesController {
  constructor(
    private readonly sendMessage: SendMessage,
    private readonly queries: MessageQueries,
  ) {}

  @Post()
  @RequireScope('messages:write')
  @Describe({
    operationId: 'sendMessage',
    summary: 'Send a message',
    description:
      'Takes `text` or `template`, and answers with the status `queued`: events tell what becomes of it. Messages to one number go out in their order.',
    status: 201,
    request: { leadId: LEAD.example, text: 'Hi Ana, the garden is free on 12 June.' },
    response: MessageResponse,
    answer: { text: 'Hi Ana, the garden is free on 12 June.' },
    invalid: {
      field: 'text',
      message:
        'can’t be sent now: free text may go out within 24 hours of the lead’s last message only; send a template instead',
    },
  })
  async send(@Caller() caller: Principal, @Body() body: SendMessageBody): Promise<MessageView> {
    return shownContact(caller, await this.sendMessage.execute(caller, body.leadId, contentOf(body)));
  }

  @Get()
  @RequireScope('messages:read')
  @DescribeList({
    operationId: 'listMessages',
    summary: 'List messages',
    description: 'Sent and received ones. Newest first unless sorted otherwise.',
    item: MessageResponse,
    list: 'MessageList',
    invalid: { field: 'leadId', message: 'must be an id such as lead_…' },
  })
  list(@Caller() caller: Principal, @Query() query: ListMessagesQuery): Promise<Page<MessageView>> {
    const filter = toMessageFilter(query);
    const { sort = '-createdAt' } = query;
    const request = toPageRequest(query, {
      list: 'messages',
      filters: filter,
      sort: { field: 'createdAt', descending: sort.startsWith('-') },
      kind: 'instant',
      idPrefix: 'msg',
    });
    return this.queries.list(caller, filter, request);
  }

  @Get(':id')
  @RequireScope('messages:read')
  @Describe({
    operationId: 'getMessage',
    summary: 'Get a message',
    object: MESSAGE,
    response: MessageResponse,
    answer: {
      status: 'delivered',
      sentAt: '2027-01-15T09:30:01.000Z',
      deliveredAt: '2027-01-15T09:30:02.000Z',
    },
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<MessageView> {
    return this.queries.get(caller, MESSAGE.read(id));
  }
}

function contentOf({ text = null, template, automatic }: SendMessageBody): OutgoingContent {
  const isAutomatic = { automatic: automatic ?? false };
  if (!template) return { text, template: null, ...isAutomatic };
  const { name, language, variables } = template;
  return { text: null, template: { name, language, variables: variables ?? [] }, ...isAutomatic };
}
