import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type ApiKeyId, fromUuid, type Id, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { EntityStatements } from '../../../platform/persistence/entity-statements';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import { ApiKeyRepository } from '../application/api-key-repository';
import { ApiKey, type ApiKeyView } from '../domain/api-key';
import { ApiKeySchema } from './api-key.schema';

interface Row {
  id: string;
  name: string;
  scopes: string[];
  mode: Mode;
  last4: string;
  created_at: Date;
  ends_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  created_by: ApiKeyView['createdBy'];
}

const COLUMNS = `id, name, scopes, mode, last4, created_at, least(expires_at, grace_ends_at) AS ends_at, last_used_at,
  revoked_at, created_by`;

@Injectable()
export class TypeOrmApiKeyRepository extends ApiKeyRepository {
  private readonly statements: EntityStatements<ApiKey>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
    private readonly unitOfWork: TypeOrmUnitOfWork,
  ) {
    super();
    this.statements = new EntityStatements(dataSource, ApiKeySchema);
  }

  async add(key: ApiKey, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(key), events));
  }

  async save(key: ApiKey, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(key), events));
  }

  async lock(
    { workspaceId, mode }: WorkspaceRef,
    id: ApiKeyId,
    root?: ApiKeyId,
  ): Promise<ApiKey | undefined> {
    if (root && !(await this.find({ workspaceId, mode }, id, root))) return undefined;
    const key = await this.unitOfWork.manager.findOne(ApiKey, {
      where: { workspaceId, mode, id },
      lock: { mode: 'pessimistic_write' },
    });
    return key ?? undefined;
  }

  async find(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKeyView | undefined> {
    const parameters = new Parameters();
    const conditions = [...visible(ref, root, parameters), `id = ${parameters.add(toUuid(id))}`];
    const [row] = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM api_keys WHERE ${conditions.join(' AND ')}`,
      values: parameters.values,
    });
    return row && toView(row);
  }

  async all(workspaceId: WorkspaceId): Promise<ApiKeyView[]> {
    const rows = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM api_keys WHERE workspace_id = $1 ORDER BY created_at, id`,
      values: [toUuid(workspaceId)],
    });
    return rows.map(toView);
  }

  async list(ref: WorkspaceRef, request: PageRequest, root?: ApiKeyId): Promise<Slice<ApiKeyView>> {
    const parameters = new Parameters();
    const text = pageQuery({
      columns: COLUMNS,
      from: 'api_keys',
      conditions: visible(ref, root, parameters),
      parameters,
      sort: { column: 'created_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as Id<'key'>),
    });
    const rows = await this.database.query<PageRow<Row>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, toView);
  }
}

/** The keys of one workspace and mode, or with `root` that key and its descendants. */
function visible(
  { workspaceId, mode }: WorkspaceRef,
  root: ApiKeyId | undefined,
  parameters: Parameters,
): string[] {
  const workspace = parameters.add(toUuid(workspaceId));
  const tenant = `workspace_id = ${workspace} AND mode = ${parameters.add(mode)}`;
  if (!root) return [tenant];
  const family = `
    WITH RECURSIVE family AS (
      SELECT id FROM api_keys WHERE ${tenant} AND id = ${parameters.add(toUuid(root))}
      UNION
      SELECT child.id FROM api_keys child JOIN family ON child.parent_id = family.id WHERE ${tenant}
    ) SELECT id FROM family`;
  return [tenant, `id IN (${family})`];
}

function toView(row: Row): ApiKeyView {
  return {
    id: fromUuid('key', row.id),
    name: row.name,
    scopes: row.scopes,
    mode: row.mode,
    last4: row.last4,
    createdAt: row.created_at,
    expiresAt: row.ends_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    createdBy: row.created_by,
  };
}
