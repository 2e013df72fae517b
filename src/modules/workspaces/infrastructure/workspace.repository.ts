import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid, type WorkspaceId } from '../../../kernel/ids';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { type WorkspaceOverview, WorkspaceRepository } from '../application/workspace-repository';
import type { Workspace } from '../domain/workspace';
import { WorkspaceSchema } from './workspace.schema';

@Injectable()
export class PostgresWorkspaceRepository extends WorkspaceRepository {
  private readonly statements: EntityStatements<Workspace>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(WorkspaceSchema);
  }

  async add(workspace: Workspace): Promise<void> {
    await this.database.query(this.statements.insert(workspace));
  }

  find(id: WorkspaceId): Promise<Workspace | undefined> {
    return this.one(this.statements.selectByKey, id);
  }

  /** Takes `NO KEY UPDATE`, so that rows that refer to the workspace can be added meanwhile. */
  lock(id: WorkspaceId): Promise<Workspace | undefined> {
    return this.one(`${this.statements.selectByKey} FOR NO KEY UPDATE`, id);
  }

  async save(workspace: Workspace): Promise<void> {
    await this.database.query(this.statements.update(workspace));
  }

  async list(): Promise<WorkspaceOverview[]> {
    const rows = await this.database.sql<Omit<WorkspaceOverview, 'id'> & { id: string }>(`
      SELECT w.id, w.name, w.time_zone AS "timeZone", w.currency, w.created_at AS "createdAt",
             coalesce(array_agg(u.email ORDER BY u.email) FILTER (WHERE u.id IS NOT NULL), '{}') AS owners
      FROM workspaces w
      LEFT JOIN memberships m ON m.workspace_id = w.id AND m.role = 'owner' AND m.leaving_at IS NULL
      LEFT JOIN users u ON u.id = m.user_id
      GROUP BY w.id ORDER BY w.created_at, w.id`);
    return rows.map((row) => ({ ...row, id: fromUuid('ws', row.id) }));
  }

  private async one(text: string, id: WorkspaceId): Promise<Workspace | undefined> {
    const [row] = await this.database.sql<object>(text, [toUuid(id)]);
    return row && this.statements.read(row);
  }
}
