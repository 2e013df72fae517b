import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Unauthorized } from '../../../kernel/errors';
import { fromUuid, type Id, toUuid, type WebhookId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { SecretBox } from '../../../platform/encryption/secret-box';
import { Database } from '../../../platform/persistence/database';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import { type EndpointAddress, WebhookRepository } from '../application/webhook-repository';
import type { EndpointOwner } from '../application/endpoints-of';
import {
  type EndpointDetails,
  type EndpointStatus,
  EXPIRED,
  WebhookEndpoint,
} from '../domain/webhook-endpoint';

interface ViewRow {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  status: EndpointStatus;
  disabled_reason: string | null;
  created_at: Date;
  installation_id: string | null;
  previous_secret_ends_at: Date | null;
  failing_since: Date | null;
  scopes: string[] | null;
  expires_at: Date | null;
  verified_at: Date | null;
  revision: number;
}

interface Row extends ViewRow {
  workspace_id: string;
  mode: Mode;
  secret: Buffer;
  previous_secret: Buffer | null;
  deleted_at: Date | null;
}

const VIEW_COLUMNS = `id, url, events, description, status, disabled_reason, created_at, installation_id,
  previous_secret_ends_at, failing_since, webhook_scopes(webhook_endpoints) AS scopes, expires_at,
  verified_at, revision`;
const OF_WORKSPACE = 'workspace_id = $1 AND mode = $2 AND deleted_at IS NULL';
const OF_OWNER = `${OF_WORKSPACE} AND ($3::uuid IS NULL OR installation_id = $3)`;

/** The encryption context of an endpoint's secrets. */
export function placeOf(id: WebhookId): string {
  return `secret of ${id}`;
}

@Injectable()
export class SqlWebhookRepository extends WebhookRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {
    super();
    for (const column of ['secret', 'previous_secret']) {
      secrets.keptIn({
        table: 'webhook_endpoints',
        column,
        placeOf: (uuid) => placeOf(fromUuid('wh', uuid)),
      });
    }
  }

  async lockAddresses({ workspaceId, mode }: WorkspaceRef): Promise<EndpointAddress[]> {
    const workspace = toUuid(workspaceId);
    await this.run('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', workspace);
    const rows = await this.run<{ id: string; url: string; is_verified: boolean }>(
      `SELECT id, url, verified_at IS NOT NULL AS is_verified FROM webhook_endpoints WHERE ${OF_WORKSPACE}`,
      workspace,
      mode,
    );
    return rows.map(({ id, url, is_verified: isVerified }) => ({ id: fromUuid('wh', id), url, isVerified }));
  }

  async add(endpoint: WebhookEndpoint): Promise<void> {
    const added = await this.run(
      `INSERT INTO webhook_endpoints (workspace_id, mode, id, url, events, description, status, secret, created_at,
         scopes, expires_at, installation_id, verified_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::timestamptz
       WHERE $12::uuid IS NULL OR EXISTS (
         SELECT FROM oauth_installations WHERE workspace_id = $1 AND mode = $2 AND id = $12 AND removed_at IS NULL FOR SHARE)
       RETURNING id`,
      ...keyOf(endpoint),
      endpoint.url,
      endpoint.events,
      endpoint.description,
      endpoint.status,
      await this.secrets.seal(endpoint.secret, placeOf(endpoint.id)),
      endpoint.createdAt,
      endpoint.scopes,
      endpoint.expiresAt,
      endpoint.installationId && toUuid(endpoint.installationId),
      endpoint.verifiedAt,
    );
    if (added.length === 0) throw new Unauthorized('The app was removed from the workspace.', true);
  }

  async lock(owner: EndpointOwner, id: WebhookId): Promise<WebhookEndpoint | undefined> {
    const [row] = await this.run<Row>(
      `SELECT * FROM webhook_endpoints WHERE ${OF_OWNER} AND id = $4 FOR NO KEY UPDATE`,
      ...valuesOf(owner),
      toUuid(id),
    );
    return row && this.toEndpoint(row);
  }

  async save(endpoint: WebhookEndpoint): Promise<void> {
    const place = placeOf(endpoint.id);
    await this.run(
      `UPDATE webhook_endpoints
       SET url = $4, events = $5, description = $6, status = $7, disabled_reason = $8, secret = $9,
           previous_secret = $10, previous_secret_ends_at = $11, failing_since = $12, deleted_at = $13,
           scopes = $14, expires_at = $15, verified_at = $16, revision = $17
       WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      ...keyOf(endpoint),
      endpoint.url,
      endpoint.events,
      endpoint.description,
      endpoint.status,
      endpoint.disabledReason,
      await this.secrets.seal(endpoint.secret, place),
      endpoint.previousSecret && (await this.secrets.seal(endpoint.previousSecret, place)),
      endpoint.previousSecretEndsAt,
      endpoint.failingSince,
      endpoint.deletedAt,
      endpoint.scopes,
      endpoint.expiresAt,
      endpoint.verifiedAt,
      endpoint.revision,
    );
  }

  async find(owner: EndpointOwner, id: WebhookId): Promise<EndpointDetails | undefined> {
    const [row] = await this.run<ViewRow>(
      `SELECT ${VIEW_COLUMNS} FROM webhook_endpoints WHERE ${OF_OWNER} AND id = $4`,
      ...valuesOf(owner),
      toUuid(id),
    );
    return row && toView(row, this.clock.now());
  }

  async list(owner: EndpointOwner, request: PageRequest): Promise<Slice<EndpointDetails>> {
    const parameters = new Parameters();
    for (const value of valuesOf(owner)) parameters.add(value);
    const text = pageQuery({
      columns: VIEW_COLUMNS,
      from: 'webhook_endpoints',
      conditions: [OF_OWNER],
      parameters,
      sort: { column: 'created_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as Id<'wh'>),
    });
    const rows = await this.database.query<PageRow<ViewRow>>({ text, values: parameters.values });
    const now = this.clock.now();
    return toSlice(rows, request.limit, (row) => toView(row, now));
  }

  private toEndpoint(row: Row): WebhookEndpoint {
    const view = toView(row, this.clock.now());
    const open = (sealed: Buffer) => this.secrets.open(sealed, placeOf(view.id));
    return WebhookEndpoint.from({
      ...view,
      workspaceId: fromUuid('ws', row.workspace_id),
      mode: row.mode,
      secret: open(row.secret),
      previousSecret: row.previous_secret && open(row.previous_secret),
      deletedAt: row.deleted_at,
    });
  }

  private run<Result>(text: string, ...values: unknown[]): Promise<Result[]> {
    return this.database.query<Result>({ text, values });
  }
}

function keyOf({ workspaceId, mode, id }: WebhookEndpoint): unknown[] {
  return [toUuid(workspaceId), mode, toUuid(id)];
}

function valuesOf({ workspaceId, mode, installationId }: EndpointOwner): unknown[] {
  return [toUuid(workspaceId), mode, installationId && toUuid(installationId)];
}

function toView(row: ViewRow, now: Date): EndpointDetails {
  const hasExpired = row.status === 'enabled' && row.expires_at !== null && row.expires_at <= now;
  return {
    id: fromUuid('wh', row.id),
    url: row.url,
    events: row.events,
    description: row.description,
    status: hasExpired ? 'disabled' : row.status,
    disabledReason: hasExpired ? EXPIRED : row.disabled_reason,
    expiresAt: row.expires_at,
    verifiedAt: row.verified_at,
    createdAt: row.created_at,
    installationId: row.installation_id ? fromUuid('inst', row.installation_id) : null,
    previousSecretEndsAt: row.previous_secret_ends_at,
    failingSince: row.failing_since,
    scopes: row.scopes,
    revision: row.revision,
  };
}
