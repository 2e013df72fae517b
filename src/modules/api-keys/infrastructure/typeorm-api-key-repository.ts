import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type ApiKeyId, fromUuid, type Id, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Configuration } from '../../../platform/config/configuration';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { EntityStatements } from '../../../platform/persistence/entity-statements';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import { ApiKeyRepository } from '../application/api-key-repository';
import { ApiKey, type ApiKeyView } from '../domain/api-key';
import { API_KEY_COLUMNS, type ApiKeyRow, toView, visible } from './api-key-row';
import { ApiKeySchema } from './api-key.schema';

const IS_LIVE = 'revoked_at IS NULL AND coalesce(least(expires_at, grace_ends_at) > $3, true)';

@Injectable()
export class TypeOrmApiKeyRepository extends ApiKeyRepository {
  private readonly statements: EntityStatements<ApiKey>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
    private readonly unitOfWork: TypeOrmUnitOfWork,
    private readonly configuration: Configuration,
  ) {
    super();
    this.statements = new EntityStatements(dataSource, ApiKeySchema);
  }

  async add(key: ApiKey, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(key), events));
  }

  async room({ workspaceId, mode }: WorkspaceRef, now: Date): Promise<{ left: number; max: number }> {
    const values = [toUuid(workspaceId), mode];
    // A lock of its own, since no row stands for the keys of one mode. Counting is a statement after it, which sees what
    // those before it have committed.
    await this.database.query({
      text: `SELECT pg_advisory_xact_lock(hashtextextended($1::uuid || ' api keys ' || $2, 0))`,
      values,
    });
    const [row] = await this.database.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM api_keys WHERE workspace_id = $1 AND mode = $2 AND ${IS_LIVE}`,
      values: [...values, now],
    });
    const max = this.configuration.maxApiKeys;
    return { left: max - row!.count, max };
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

  async lockBelowParent(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKey | undefined> {
    const parameters = new Parameters();
    const conditions = [...visible(ref, root, parameters), `id = ${parameters.add(toUuid(id))}`];
    const [row] = await this.database.query<{ parent_id: string | null }>({
      text: `SELECT parent_id FROM api_keys WHERE ${conditions.join(' AND ')}`,
      values: parameters.values,
    });
    if (!row) return undefined;
    // Only a rotation changes the parent, and none rotates a key a second time: this is still it, or of no interest.
    if (row.parent_id) await this.lock(ref, fromUuid('key', row.parent_id));
    return this.lock(ref, id);
  }

  async lockDescendants({ workspaceId, mode }: WorkspaceRef, id: ApiKeyId): Promise<ApiKey[]> {
    const descendants: ApiKey[] = [];
    for (let parents = [id]; parents.length > 0;) {
      const children = await this.unitOfWork.manager.find(ApiKey, {
        where: { workspaceId, mode, parentId: In(parents) },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      descendants.push(...children);
      parents = children.map((child) => child.id);
    }
    return descendants;
  }

  async find(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKeyView | undefined> {
    const parameters = new Parameters();
    const conditions = [...visible(ref, root, parameters), `id = ${parameters.add(toUuid(id))}`];
    const [row] = await this.database.query<ApiKeyRow>({
      text: `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE ${conditions.join(' AND ')}`,
      values: parameters.values,
    });
    return row && toView(row);
  }

  async all(workspaceId: WorkspaceId): Promise<ApiKeyView[]> {
    const rows = await this.database.query<ApiKeyRow>({
      text: `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE workspace_id = $1 ORDER BY created_at, id`,
      values: [toUuid(workspaceId)],
    });
    return rows.map(toView);
  }

  async list(ref: WorkspaceRef, request: PageRequest, root?: ApiKeyId): Promise<Slice<ApiKeyView>> {
    const parameters = new Parameters();
    const text = pageQuery({
      columns: API_KEY_COLUMNS,
      from: 'api_keys',
      conditions: visible(ref, root, parameters),
      parameters,
      sort: { column: 'created_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as Id<'key'>),
    });
    const rows = await this.database.query<PageRow<ApiKeyRow>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, toView);
  }
}
