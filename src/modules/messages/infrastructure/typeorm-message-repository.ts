import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type MessageId, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { EntityStatements } from '../../../platform/persistence/entity-statements';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import { MessageRepository } from '../application/message-repository';
import type { ChatIdentities } from '../domain/chat-identity';
import { Message } from '../domain/message';
import { MessageSchema } from './message.schema';

@Injectable()
export class TypeOrmMessageRepository extends MessageRepository {
  private readonly statements: EntityStatements<Message>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
    private readonly unitOfWork: TypeOrmUnitOfWork,
  ) {
    super();
    this.statements = new EntityStatements(dataSource, MessageSchema);
  }

  async add(message: Message, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(message), events));
  }

  async save(message: Message, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(message), events));
  }

  lock(ref: WorkspaceRef, id: MessageId): Promise<Message | undefined> {
    return this.lockWhere(ref, { id });
  }

  lockSent(ref: WorkspaceRef, providerId: string): Promise<Message | undefined> {
    return this.lockWhere(ref, { direction: 'outbound', providerId });
  }

  async lockConversations(
    { workspaceId, mode }: WorkspaceRef,
    { phones, userIds }: ChatIdentities,
  ): Promise<void> {
    // Sorted, so that units of work can't deadlock.
    for (const identity of [...userIds.toSorted(), ...phones.toSorted()]) {
      const conversation = `message ${workspaceId} ${mode} ${identity}`;
      await this.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', conversation);
    }
  }

  async isReceived(ref: WorkspaceRef, providerId: string): Promise<boolean> {
    return (await this.receivedAmong(ref, [providerId])).has(providerId);
  }

  async receivedAmong(ref: WorkspaceRef, providerIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.query<{ provider_id: string }>(
      `SELECT provider_id FROM messages
       WHERE ${OF_WORKSPACE} AND direction = 'inbound' AND provider_id = ANY ($3)`,
      ...keyOf(ref),
      providerIds,
    );
    return new Set(rows.map((row) => row.provider_id));
  }

  async lastReceivedAt(ref: WorkspaceRef, { phones, userIds }: ChatIdentities): Promise<Date | undefined> {
    const [row] = await this.query<{ at: Date | null }>(
      `SELECT max(at) AS at FROM (
         SELECT max(sent_at) AS at FROM messages
         WHERE ${OF_WORKSPACE} AND phone = ANY ($3) AND direction = 'inbound'
         UNION ALL
         SELECT max(sent_at) FROM messages
         WHERE ${OF_WORKSPACE} AND channel_user_id = ANY ($4) AND direction = 'inbound'
       ) received`,
      ...keyOf(ref),
      phones,
      userIds,
    );
    return row?.at ?? undefined;
  }

  async phonesOfContact(ref: WorkspaceRef, contact: string): Promise<string[]> {
    const rows = await this.query<{ phone: string }>(
      `SELECT phone FROM messages WHERE ${OF_WORKSPACE} AND provider_contact = $3 AND phone IS NOT NULL
       GROUP BY phone ORDER BY max(created_at) DESC`,
      ...keyOf(ref),
      contact,
    );
    return rows.map(({ phone }) => phone);
  }

  private async lockWhere(
    { workspaceId, mode }: WorkspaceRef,
    which: Partial<Pick<Message, 'id' | 'direction' | 'providerId'>>,
  ): Promise<Message | undefined> {
    const found = await this.unitOfWork.manager.findOne(Message, {
      where: { workspaceId, mode, ...which } as object,
      lock: { mode: 'pessimistic_write' },
    });
    return found ?? undefined;
  }

  private query<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
    return this.database.query<Row>({ text, values });
  }
}

const OF_WORKSPACE = 'workspace_id = $1 AND mode = $2';

function keyOf({ workspaceId, mode }: WorkspaceRef): unknown[] {
  return [toUuid(workspaceId), mode];
}
