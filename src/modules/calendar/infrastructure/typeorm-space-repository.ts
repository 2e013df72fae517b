import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { fromUuid, type Id, type SpaceId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { EntityStatements } from '../../../platform/persistence/entity-statements';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import { type SpaceFilter, SpaceRepository } from '../application/space-repository';
import { Space, type SpaceView } from '../domain/space';
import { SpaceSchema } from './space.schema';

interface Row {
  id: string;
  name: string;
  capacity: number | null;
  setup_minutes: number;
  clearing_minutes: number;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

const COLUMNS =
  'id, name, capacity, setup_minutes, clearing_minutes, archived_at, created_at, updated_at, revision';

@Injectable()
export class TypeOrmSpaceRepository extends SpaceRepository {
  private readonly statements: EntityStatements<Space>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
    private readonly unitOfWork: TypeOrmUnitOfWork,
  ) {
    super();
    this.statements = new EntityStatements(dataSource, SpaceSchema);
  }

  async lockAndCount({ workspaceId, mode }: WorkspaceRef): Promise<number> {
    const workspace = toUuid(workspaceId);
    await this.database.query({
      text: 'SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE',
      values: [workspace],
    });
    const [row] = await this.database.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM spaces
             WHERE workspace_id = $1 AND mode = $2 AND archived_at IS NULL`,
      values: [workspace, mode],
    });
    return row!.count;
  }

  async add(space: Space): Promise<void> {
    await this.database.query(this.statements.insert(space));
  }

  async save(space: Space): Promise<void> {
    await this.database.query(this.statements.update(space));
  }

  lock({ workspaceId, mode }: WorkspaceRef, ids: readonly SpaceId[]): Promise<Space[]> {
    return this.unitOfWork.manager.find(Space, {
      where: { workspaceId, mode, id: In([...ids]) },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
  }

  async find({ workspaceId, mode }: WorkspaceRef, ids: readonly SpaceId[]): Promise<SpaceView[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM spaces WHERE workspace_id = $1 AND mode = $2 AND id = ANY ($3::uuid[])`,
      values: [toUuid(workspaceId), mode, ids.map(toUuid)],
    });
    return rows.map(toView);
  }

  async list(
    { workspaceId, mode }: WorkspaceRef,
    { archived }: SpaceFilter,
    request: PageRequest,
  ): Promise<Slice<SpaceView>> {
    const parameters = new Parameters();
    const conditions = [
      `workspace_id = ${parameters.add(toUuid(workspaceId))}`,
      `mode = ${parameters.add(mode)}`,
    ];
    if (archived !== 'all') conditions.push(`archived_at IS ${archived === 'true' ? 'NOT NULL' : 'NULL'}`);
    const text = pageQuery({
      columns: COLUMNS,
      from: 'spaces',
      conditions,
      parameters,
      sort: { column: 'name', type: 'text', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as Id<'space'>),
    });
    const rows = await this.database.query<PageRow<Row>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, toView);
  }

  async inUse({ workspaceId, mode }: WorkspaceRef): Promise<SpaceView[]> {
    const rows = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM spaces WHERE workspace_id = $1 AND mode = $2 AND archived_at IS NULL
             ORDER BY name, id`,
      values: [toUuid(workspaceId), mode],
    });
    return rows.map(toView);
  }
}

function toView(row: Row): SpaceView {
  return {
    id: fromUuid('space', row.id),
    name: row.name,
    capacity: row.capacity,
    setupMinutes: row.setup_minutes,
    clearingMinutes: row.clearing_minutes,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
  };
}
