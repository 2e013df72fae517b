import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type ApiKeyId, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Configuration } from '../../../platform/config/configuration';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { ApiKeyRepository } from '../application/api-key-repository';
import type { ApiKey, ApiKeyView } from '../domain/api-key';
import { ApiKeySchema } from './api-key.schema';

const IS_LIVE = 'revoked_at IS NULL AND coalesce(least(expires_at, grace_ends_at) > $3, true)';

@Injectable()
export class PostgresApiKeyRepository extends ApiKeyRepository {
  private readonly statements: EntityStatements<ApiKey>;

  constructor(
    private readonly database: Database,
    private readonly configuration: Configuration,
  ) {
    super();
    this.statements = database.statements(ApiKeySchema);
  }

  async add(key: ApiKey, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(key), events));
  }

  async room(ref: WorkspaceRef, now: Date): Promise<{ left: number; max: number }> {
    // An advisory lock, since no row represents the keys of one mode. The count is a separate statement, so that it sees
    // what earlier holders of the lock have committed.
    await this.database.sql(
      `SELECT pg_advisory_xact_lock(hashtextextended($1::uuid || ' api keys ' || $2, 0))`,
      workspaceKey(ref),
    );
    const [row] = await this.database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM api_keys WHERE ${IN_WORKSPACE} AND ${IS_LIVE}`,
      [...workspaceKey(ref), now],
    );
    const max = this.configuration.maxApiKeys;
    return { left: max - row!.count, max };
  }

  async save(key: ApiKey, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(key), events));
  }

  async lock(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKey | undefined> {
    if (root && !(await this.find(ref, id, root))) return undefined;
    const text = `${this.statements.selectByKey} FOR UPDATE`;
    const [row] = await this.database.sql<object>(text, workspaceKey(ref, id));
    return row && this.statements.read(row);
  }

  async lockBelowParent(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKey | undefined> {
    const key = await this.findKey(ref, id, root);
    if (!key) return undefined;
    // Only a rotation changes the parent, and a key is rotated once, so the parent hasn't changed since it was read.
    if (key.parentId) await this.lock(ref, key.parentId);
    return this.lock(ref, id);
  }

  async lockDescendants(ref: WorkspaceRef, id: ApiKeyId): Promise<ApiKey[]> {
    const descendants: ApiKey[] = [];
    for (let parents = [id]; parents.length > 0;) {
      const rows = await this.database.sql<object>(
        `${this.statements.select} WHERE ${IN_WORKSPACE} AND parent_id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE`,
        [...workspaceKey(ref), parents.map(toUuid)],
      );
      const children = rows.map(this.statements.read);
      descendants.push(...children);
      parents = children.map((child) => child.id);
    }
    return descendants;
  }

  async find(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKeyView | undefined> {
    return (await this.findKey(ref, id, root))?.view();
  }

  async all(workspaceId: WorkspaceId): Promise<ApiKeyView[]> {
    const text = `${this.statements.select} WHERE workspace_id = $1 ORDER BY created_at, id`;
    const rows = await this.database.sql<object>(text, [toUuid(workspaceId)]);
    return rows.map((row) => this.statements.read(row).view());
  }

  list(ref: WorkspaceRef, request: PageRequest, root?: ApiKeyId): Promise<Slice<ApiKeyView>> {
    const parameters = new Parameters();
    const conditions = visible(ref, root, parameters);
    const source = this.statements.sortedBy('createdAt');
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) =>
      this.statements.read(row).view(),
    );
  }

  private async findKey(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKey | undefined> {
    const parameters = new Parameters();
    const conditions = [...visible(ref, root, parameters), `id = ${parameters.add(toUuid(id))}`];
    const text = `${this.statements.select} WHERE ${conditions.join(' AND ')}`;
    const [row] = await this.database.sql<object>(text, parameters.values);
    return row && this.statements.read(row);
  }
}

/** The keys of one workspace and mode, or with `root` that key and its descendants. */
function visible(ref: WorkspaceRef, root: ApiKeyId | undefined, parameters: Parameters): string[] {
  const tenant = parameters.inWorkspace(ref);
  if (!root) return tenant;
  const where = tenant.join(' AND ');
  const family = `
    WITH RECURSIVE family AS (
      SELECT id FROM api_keys WHERE ${where} AND id = ${parameters.add(toUuid(root))}
      UNION
      SELECT child.id FROM api_keys child JOIN family ON child.parent_id = family.id WHERE ${where}
    ) SELECT id FROM family`;
  return [...tenant, `id IN (${family})`];
}
