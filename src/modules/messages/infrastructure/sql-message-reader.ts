import { Injectable } from '@nestjs/common';
import { fromUuid, type MessageId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import { type MessageFilter, MessageReader } from '../application/message-queries';
import type { ChannelName, Direction, Media, MessageView, Status, TemplateUse } from '../domain/message';
import type { MessageError } from '../domain/message-error';

interface Row {
  id: string;
  lead_id: string | null;
  direction: Direction;
  channel: ChannelName;
  phone: string | null;
  channel_user_id: string | null;
  type: string;
  text: string | null;
  template: TemplateUse | null;
  media: Media | null;
  status: Status;
  error: MessageError | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
}

const COLUMNS = `id, lead_id, direction, channel, phone, channel_user_id, type, text, template, media, status, error,
  created_at, sent_at, delivered_at, read_at, failed_at`;

@Injectable()
export class SqlMessageReader extends MessageReader {
  constructor(private readonly database: Database) {
    super();
  }

  async find({ workspaceId, mode }: WorkspaceRef, id: MessageId): Promise<MessageView | undefined> {
    const [row] = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM messages WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      values: [toUuid(workspaceId), mode, toUuid(id)],
    });
    return row && toView(row);
  }

  async list(
    { workspaceId, mode }: WorkspaceRef,
    { leadId, direction, status }: MessageFilter,
    request: PageRequest,
  ): Promise<Slice<MessageView>> {
    const parameters = new Parameters();
    const conditions = [
      `workspace_id = ${parameters.add(toUuid(workspaceId))}`,
      `mode = ${parameters.add(mode)}`,
    ];
    if (leadId) conditions.push(`lead_id = ${parameters.add(toUuid(leadId))}`);
    if (direction) conditions.push(`direction = ${parameters.add(direction)}`);
    if (status) conditions.push(`status = ${parameters.add(status)}`);
    const text = pageQuery({
      columns: COLUMNS,
      from: 'messages',
      conditions,
      parameters,
      sort: { column: 'created_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as MessageId),
    });
    const rows = await this.database.query<PageRow<Row>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, toView);
  }
}

function toView(row: Row): MessageView {
  return {
    id: fromUuid('msg', row.id),
    leadId: row.lead_id === null ? null : fromUuid('lead', row.lead_id),
    direction: row.direction,
    channel: row.channel,
    phone: row.phone,
    channelUserId: row.channel_user_id,
    type: row.type,
    text: row.text,
    template: row.template,
    media: row.media,
    status: row.status,
    error: row.error,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    readAt: row.read_at,
    failedAt: row.failed_at,
  };
}
