import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { DescribeExport } from '../../../platform/exports/describe-export';
import { exportQuery } from '../../../platform/exports/export-query';
import { Exports } from '../../../platform/exports/exports';
import { MessageQueries } from '../application/message-queries';
import { LEAD, ListMessagesQuery, MESSAGE, MessageResponse, toMessageFilter } from './message.dto';

class ExportMessagesQuery extends exportQuery(ListMessagesQuery, MessageResponse) {}

@Controller('/v1/exports/messages')
@ApiTags('Messages')
export class MessagesExportController {
  constructor(
    private readonly queries: MessageQueries,
    private readonly exports: Exports,
  ) {}

  @Get()
  @RequireScope('messages:read')
  @DescribeExport({
    operationId: 'exportMessages',
    summary: 'Export messages',
    description: 'Sent and received ones, the newest first.',
    example: { id: MESSAGE.example, leadId: LEAD.example, text: 'Hi Ana, the garden is free on 12 June.' },
  })
  stream(
    @Caller() caller: Principal,
    @Query() query: ExportMessagesQuery,
    @Res() response: Response,
  ): Promise<void> {
    const pages = this.queries.all(caller, toMessageFilter(query));
    const holder = caller.credential.id;
    return this.exports.send(response, { list: 'messages', ref: caller, holder, asked: query, pages });
  }
}
