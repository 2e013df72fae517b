import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { Message } from '../domain/message';

/** A column of the queue, which entities neither read nor write. */
const queueColumn = (name: string, options: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({
  name,
  nullable: true,
  select: false,
  insert: false,
  update: false,
  ...options,
});

const QUEUE_COLUMNS = {
  attempts: queueColumn('attempts', { type: 'int', nullable: false, default: 0 }),
  nextAttemptAt: queueColumn('next_attempt_at', { type: 'timestamptz' }),
  claim: queueColumn('claim', { type: 'uuid' }),
  sendingAt: queueColumn('sending_at', { type: 'timestamptz' }),
};

export const MessageSchema = new EntitySchema<Message>({
  name: 'Message',
  target: Message,
  tableName: 'messages',
  columns: {
    ...workspaceColumns,
    id: idColumn('msg', 'id', { primary: true }),
    leadId: idColumn('lead', 'lead_id', { nullable: true }),
    direction: { type: 'text' },
    channel: { type: 'text' },
    phone: { type: 'text', nullable: true },
    channelUserId: { name: 'channel_user_id', type: 'text', nullable: true },
    type: { type: 'text' },
    text: { type: 'text', nullable: true },
    template: { type: 'json', nullable: true },
    media: { type: 'json', nullable: true },
    automatic: { name: 'is_automatic', type: 'boolean' },
    sentBy: { name: 'sent_by', type: 'json', nullable: true },
    status: { type: 'text' },
    error: { type: 'json', nullable: true },
    providerId: { name: 'provider_id', type: 'text', nullable: true },
    providerContact: { name: 'provider_contact', type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    sentAt: { name: 'sent_at', type: 'timestamptz', nullable: true },
    deliveredAt: { name: 'delivered_at', type: 'timestamptz', nullable: true },
    readAt: { name: 'read_at', type: 'timestamptz', nullable: true },
    failedAt: { name: 'failed_at', type: 'timestamptz', nullable: true },
    ...QUEUE_COLUMNS,
  },
});
