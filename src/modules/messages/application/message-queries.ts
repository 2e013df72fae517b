import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { LeadId, MessageId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice, wholeList } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Direction, MessageView, Status } from '../domain/message';

export interface MessageFilter {
  leadId?: LeadId;
  direction?: Direction;
  status?: Status;
}

export abstract class MessageReader {
  abstract find(ref: WorkspaceRef, id: MessageId): Promise<MessageView | undefined>;
  abstract list(ref: WorkspaceRef, filter: MessageFilter, request: PageRequest): Promise<Slice<MessageView>>;
}

@Injectable()
export class MessageQueries {
  constructor(private readonly messages: MessageReader) {}

  async get(ref: WorkspaceRef, id: MessageId): Promise<MessageView> {
    const message = await this.messages.find(ref, id);
    if (!message) throw new NotFound('message');
    return message;
  }

  /** The request's only sort is `createdAt`. */
  async list(ref: WorkspaceRef, filter: MessageFilter, request: PageRequest): Promise<Page<MessageView>> {
    const slice = await this.messages.list(ref, filter, request);
    return pageOf(request, slice, ({ createdAt, id }) => ({ value: createdAt.toISOString(), id }));
  }

  /** All messages that match, the newest first, part by part. */
  all(ref: WorkspaceRef, filter: MessageFilter): AsyncGenerator<readonly MessageView[], void> {
    const newestFirst = { field: 'createdAt', descending: true };
    return wholeList(newestFirst, (request) => this.list(ref, filter, request));
  }
}
