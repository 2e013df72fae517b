import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { fromUuid, type ImportId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { ImportRepository } from '../application/import-repository';
import type { Import } from '../domain/import';
import type { ImportView } from '../domain/import-view';
import { ImportSchema } from './import.schema';

@Injectable()
export class PostgresImportRepository extends ImportRepository {
  private readonly statements: EntityStatements<Import>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(ImportSchema);
  }

  async add(item: Import): Promise<void> {
    await this.database.query(this.statements.insert(item));
  }

  async find(ref: WorkspaceRef, id: ImportId): Promise<Import | undefined> {
    const [row] = await this.database.sql<object>(this.statements.selectByKey, workspaceKey(ref, id));
    return row && this.statements.read(row);
  }

  async lock(ref: WorkspaceRef, id: ImportId): Promise<Import | undefined> {
    const text = `${this.statements.selectByKey} FOR NO KEY UPDATE`;
    const [row] = await this.database.sql<object>(text, workspaceKey(ref, id));
    return row && this.statements.read(row);
  }

  async save(item: Import, events: readonly DomainEvent[] = []): Promise<void> {
    await this.database.query(withEvents(this.statements.update(item), events));
  }

  list(ref: WorkspaceRef, request: PageRequest<'createdAt'>): Promise<Slice<ImportView>> {
    const parameters = new Parameters();
    const conditions = parameters.inWorkspace(ref);
    const source = this.statements.sortedBy('createdAt');
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) =>
      this.statements.read(row).view(),
    );
  }

  async countOpen(ref: WorkspaceRef): Promise<number> {
    const [row] = await this.database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM imports WHERE ${IN_WORKSPACE} AND finished_at IS NULL`,
      workspaceKey(ref),
    );
    return row!.count;
  }

  async holdStart(ref: WorkspaceRef): Promise<ImportId | undefined> {
    await this.database.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `start of an import in ${ref.workspaceId} ${ref.mode}`,
    ]);
    const [row] = await this.database.sql<{ id: string }>(
      `SELECT id FROM imports WHERE ${IN_WORKSPACE} AND status = 'importing'`,
      workspaceKey(ref),
    );
    return row && fromUuid('imp', row.id);
  }

  async lockNext(now: Date): Promise<Import | undefined> {
    const [row] = await this.database.sql<{ turn: unknown }>(
      `UPDATE imports SET turn = nextval('import_turns') WHERE (workspace_id, mode, id) = (
         SELECT workspace_id, mode, id FROM imports WHERE status = 'importing' AND due_at <= $1
         ORDER BY turn NULLS FIRST LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
       ) RETURNING ${this.statements.columns}`,
      [now],
    );
    return row && this.statements.read(row);
  }

  async findExpired(before: Date, atMost: number): Promise<Import[]> {
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE dropped_at IS NULL AND created_at < $1 ORDER BY created_at LIMIT $2`,
      [before, atMost],
    );
    return rows.map(this.statements.read);
  }

  async markDropped({ ref, id }: Import, now: Date): Promise<void> {
    await this.database.sql(`UPDATE imports SET dropped_at = $4 WHERE ${IN_WORKSPACE} AND id = $3`, [
      ...workspaceKey(ref, id),
      now,
    ]);
  }
}
