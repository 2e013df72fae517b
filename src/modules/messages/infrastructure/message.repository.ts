import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import type { MessageId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { MessageRepository } from '../application/message-repository';
import type { ChatIdentities } from '../domain/chat-identity';
import type { Message } from '../domain/message';
import { MessageSchema } from './message.schema';

@Injectable()
export class PostgresMessageRepository extends MessageRepository {
  private readonly statements: EntityStatements<Message>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(MessageSchema);
  }

  async add(message: Message, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(message), events));
  }

  async save(message: Message, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(message), events));
  }

  lock(ref: WorkspaceRef, id: MessageId): Promise<Message | undefined> {
    return this.lockWhere('id = $3', workspaceKey(ref, id));
  }

  lockSent(ref: WorkspaceRef, providerId: string): Promise<Message | undefined> {
    return this.lockWhere(`direction = 'outbound' AND provider_id = $3`, [...workspaceKey(ref), providerId]);
  }

  async lockConversations(
    { workspaceId, mode }: WorkspaceRef,
    { phones, userIds }: ChatIdentities,
  ): Promise<void> {
    // Sorted, so that units of work can't deadlock.
    for (const identity of [...userIds.toSorted(), ...phones.toSorted()]) {
      const conversation = `message ${workspaceId} ${mode} ${identity}`;
      await this.database.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [conversation]);
    }
  }

  async isReceived(ref: WorkspaceRef, providerId: string): Promise<boolean> {
    return (await this.receivedAmong(ref, [providerId])).has(providerId);
  }

  async receivedAmong(ref: WorkspaceRef, providerIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.sql<{ provider_id: string }>(
      `SELECT provider_id FROM messages
       WHERE ${IN_WORKSPACE} AND direction = 'inbound' AND provider_id = ANY ($3)`,
      [...workspaceKey(ref), providerIds],
    );
    return new Set(rows.map((row) => row.provider_id));
  }

  async lastReceivedAt(ref: WorkspaceRef, { phones, userIds }: ChatIdentities): Promise<Date | undefined> {
    const [row] = await this.database.sql<{ at: Date | null }>(
      `SELECT max(at) AS at FROM (
         SELECT max(sent_at) AS at FROM messages
         WHERE ${IN_WORKSPACE} AND phone = ANY ($3) AND direction = 'inbound'
         UNION ALL
         SELECT max(sent_at) FROM messages
         WHERE ${IN_WORKSPACE} AND channel_user_id = ANY ($4) AND direction = 'inbound'
       ) received`,
      [...workspaceKey(ref), phones, userIds],
    );
    return row?.at ?? undefined;
  }

  async phonesOfContact(ref: WorkspaceRef, contact: string): Promise<string[]> {
    const rows = await this.database.sql<{ phone: string }>(
      `SELECT phone FROM messages WHERE ${IN_WORKSPACE} AND provider_contact = $3 AND phone IS NOT NULL
       GROUP BY phone ORDER BY max(created_at) DESC`,
      [...workspaceKey(ref), contact],
    );
    return rows.map(({ phone }) => phone);
  }

  private async lockWhere(condition: string, values: unknown[]): Promise<Message | undefined> {
    const [row] = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE} AND ${condition} LIMIT 1 FOR UPDATE`,
      values,
    );
    return row && this.statements.read(row);
  }
}
