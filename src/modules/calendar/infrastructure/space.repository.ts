import { Injectable } from '@nestjs/common';
import { type SpaceId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { isArchived, Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { type LockedSpaces, type SpaceFilter, SpaceRepository } from '../application/space-repository';
import type { Space, SpaceView } from '../domain/space';
import { SpaceSchema } from './space.schema';

@Injectable()
export class PostgresSpaceRepository extends SpaceRepository {
  private readonly statements: EntityStatements<Space>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(SpaceSchema);
  }

  async lockAndCount(ref: WorkspaceRef): Promise<number> {
    await this.database.sql('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [
      toUuid(ref.workspaceId),
    ]);
    const [row] = await this.database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM spaces WHERE ${IN_WORKSPACE} AND archived_at IS NULL`,
      workspaceKey(ref),
    );
    return row!.count;
  }

  async add(space: Space): Promise<void> {
    await this.database.query(this.statements.insert(space));
  }

  async save(space: Space): Promise<void> {
    await this.database.query(this.statements.update(space));
  }

  lock(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<Space[]> {
    return this.all(ref, 'id = ANY ($3::uuid[]) ORDER BY id FOR NO KEY UPDATE', ids.map(toUuid));
  }

  /** One statement: joined rows are locked once they are complete, and so after the queue. */
  async lockWithQueue(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<LockedSpaces> {
    const rows = await this.database.sql<{ queues: number }>(
      `WITH queue AS MATERIALIZED (SELECT 1 FROM hold_queues WHERE ${IN_WORKSPACE} FOR UPDATE),
         locked AS MATERIALIZED (SELECT count(*)::int AS queues FROM queue)
       SELECT ${this.statements.columns}, locked.queues FROM "spaces" CROSS JOIN locked
       WHERE ${IN_WORKSPACE} AND id = ANY ($3::uuid[]) ORDER BY id FOR NO KEY UPDATE OF "spaces"`,
      [...workspaceKey(ref), ids.map(toUuid)],
    );
    return { spaces: rows.map(this.statements.read), hasQueue: rows.some(({ queues }) => queues > 0) };
  }

  async find(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<SpaceView[]> {
    if (ids.length === 0) return [];
    return (await this.all(ref, 'id = ANY ($3::uuid[])', ids.map(toUuid))).map((space) => space.view());
  }

  list(ref: WorkspaceRef, { archived }: SpaceFilter, request: PageRequest): Promise<Slice<SpaceView>> {
    const parameters = new Parameters();
    const conditions = [...parameters.inWorkspace(ref), ...isArchived(archived)];
    const source = this.statements.sortedBy('name');
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) =>
      this.statements.read(row).view(),
    );
  }

  async inUse(ref: WorkspaceRef): Promise<SpaceView[]> {
    return (await this.all(ref, 'archived_at IS NULL ORDER BY name, id')).map((space) => space.view());
  }

  private async all(ref: WorkspaceRef, condition: string, ...values: unknown[]): Promise<Space[]> {
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE} AND ${condition}`,
      [...workspaceKey(ref), ...values],
    );
    return rows.map(this.statements.read);
  }
}
