import { Injectable } from '@nestjs/common';
import { type MessageId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { workspaceKey } from '../../../platform/persistence/workspace-key';
import { type MessageFilter, MessageReader } from '../application/message-queries';
import type { Message, MessageView } from '../domain/message';
import { MessageSchema } from './message.schema';

@Injectable()
export class PostgresMessageReader extends MessageReader {
  private readonly statements: EntityStatements<Message>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(MessageSchema);
  }

  async find(ref: WorkspaceRef, id: MessageId): Promise<MessageView | undefined> {
    const [row] = await this.database.sql<object>(this.statements.selectByKey, workspaceKey(ref, id));
    return row && this.statements.read(row).view();
  }

  list(
    ref: WorkspaceRef,
    { leadId, direction, status }: MessageFilter,
    request: PageRequest,
  ): Promise<Slice<MessageView>> {
    const parameters = new Parameters();
    const conditions = [
      ...parameters.inWorkspace(ref),
      ...parameters.when(leadId && toUuid(leadId), (place) => `lead_id = ${place}`),
      ...parameters.when(direction, (place) => `direction = ${place}`),
      ...parameters.when(status, (place) => `status = ${place}`),
    ];
    const source = this.statements.sortedBy('createdAt');
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) =>
      this.statements.read(row).view(),
    );
  }
}
