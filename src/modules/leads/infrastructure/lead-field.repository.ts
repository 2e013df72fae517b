import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type LeadFieldId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { isArchived, Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { type LeadFieldFilter, LeadFieldRepository } from '../application/lead-field-repository';
import type { LeadField, LeadFieldView } from '../domain/lead-field';
import { LeadFieldSchema } from './lead-field.schema';

@Injectable()
export class PostgresLeadFieldRepository extends LeadFieldRepository {
  private readonly statements: EntityStatements<LeadField>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(LeadFieldSchema);
  }

  async findAll(ref: WorkspaceRef): Promise<LeadField[]> {
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE} ORDER BY position, id`,
      workspaceKey(ref),
    );
    return rows.map(this.statements.read);
  }

  async lockAll(ref: WorkspaceRef): Promise<LeadField[]> {
    await this.database.sql('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [
      toUuid(ref.workspaceId),
    ]);
    return this.findAll(ref);
  }

  async add(field: LeadField, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(field), events));
  }

  async save(field: LeadField, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(field), events));
  }

  async find(ref: WorkspaceRef, id: LeadFieldId): Promise<LeadFieldView | undefined> {
    const [row] = await this.database.sql<object>(this.statements.selectByKey, workspaceKey(ref, id));
    return row && this.statements.read(row).view();
  }

  list(
    ref: WorkspaceRef,
    { archived }: LeadFieldFilter,
    request: PageRequest,
  ): Promise<Slice<LeadFieldView>> {
    const parameters = new Parameters();
    const conditions = [...parameters.inWorkspace(ref), ...isArchived(archived)];
    const source = this.statements.sortedBy('position');
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) =>
      this.statements.read(row).view(),
    );
  }
}
