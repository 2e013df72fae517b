import { Injectable } from '@nestjs/common';
import { fromUuid, type Id, toUuid, type WebhookId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { SecretBox } from '../../../platform/encryption/secret-box';
import { Database } from '../../../platform/persistence/database';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import { WebhookRepository } from '../application/webhook-repository';
import { type EndpointStatus, WebhookEndpoint, type WebhookEndpointView } from '../domain/webhook-endpoint';

interface ViewRow {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  status: EndpointStatus;
  disabled_reason: string | null;
  created_at: Date;
}

interface Row extends ViewRow {
  workspace_id: string;
  mode: Mode;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_ends_at: Date | null;
  failing_since: Date | null;
  installation_id: string | null;
  deleted_at: Date | null;
}

const VIEW_COLUMNS = 'id, url, events, description, status, disabled_reason, created_at';
const OF_WORKSPACE = 'workspace_id = $1 AND mode = $2 AND deleted_at IS NULL';

/** Where an endpoint's secrets are kept, for the secret box. */
export function placeOf(id: WebhookId): string {
  return `secret of ${id}`;
}

@Injectable()
export class SqlWebhookRepository extends WebhookRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  async lockAndCount({ workspaceId, mode }: WorkspaceRef): Promise<number> {
    const workspace = toUuid(workspaceId);
    await this.run('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', workspace);
    const [row] = await this.run<{ count: number }>(
      `SELECT count(*)::int AS count FROM webhook_endpoints WHERE ${OF_WORKSPACE}`,
      workspace,
      mode,
    );
    return row!.count;
  }

  async add(endpoint: WebhookEndpoint): Promise<void> {
    await this.run(
      `INSERT INTO webhook_endpoints (workspace_id, mode, id, url, events, description, status, secret, created_at,
         installation_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      ...keyOf(endpoint),
      endpoint.url,
      endpoint.events,
      endpoint.description,
      endpoint.status,
      await this.secrets.seal(endpoint.secret, placeOf(endpoint.id)),
      endpoint.createdAt,
      endpoint.installationId && toUuid(endpoint.installationId),
    );
  }

  async lock({ workspaceId, mode }: WorkspaceRef, id: WebhookId): Promise<WebhookEndpoint | undefined> {
    const [row] = await this.run<Row>(
      `SELECT * FROM webhook_endpoints WHERE ${OF_WORKSPACE} AND id = $3 FOR NO KEY UPDATE`,
      toUuid(workspaceId),
      mode,
      toUuid(id),
    );
    return row && this.toEndpoint(row);
  }

  async save(endpoint: WebhookEndpoint): Promise<void> {
    const place = placeOf(endpoint.id);
    await this.run(
      `UPDATE webhook_endpoints
       SET url = $4, events = $5, description = $6, status = $7, disabled_reason = $8, secret = $9,
           previous_secret = $10, previous_secret_ends_at = $11, failing_since = $12, deleted_at = $13
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
    );
  }

  async find({ workspaceId, mode }: WorkspaceRef, id: WebhookId): Promise<WebhookEndpointView | undefined> {
    const [row] = await this.run<ViewRow>(
      `SELECT ${VIEW_COLUMNS} FROM webhook_endpoints WHERE ${OF_WORKSPACE} AND id = $3`,
      toUuid(workspaceId),
      mode,
      toUuid(id),
    );
    return row && toView(row);
  }

  async list({ workspaceId, mode }: WorkspaceRef, request: PageRequest): Promise<Slice<WebhookEndpointView>> {
    const parameters = new Parameters();
    parameters.add(toUuid(workspaceId));
    parameters.add(mode);
    const text = pageQuery({
      columns: VIEW_COLUMNS,
      from: 'webhook_endpoints',
      conditions: [OF_WORKSPACE],
      parameters,
      sort: { column: 'created_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as Id<'wh'>),
    });
    const rows = await this.database.query<PageRow<ViewRow>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, toView);
  }

  private toEndpoint(row: Row): WebhookEndpoint {
    const view = toView(row);
    const open = (sealed: Buffer) => this.secrets.open(sealed, placeOf(view.id));
    return WebhookEndpoint.from({
      ...view,
      workspaceId: fromUuid('ws', row.workspace_id),
      mode: row.mode,
      secret: open(row.secret),
      previousSecret: row.previous_secret && open(row.previous_secret),
      previousSecretEndsAt: row.previous_secret_ends_at,
      failingSince: row.failing_since,
      installationId: row.installation_id ? fromUuid('inst', row.installation_id) : null,
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

function toView(row: ViewRow): WebhookEndpointView {
  return {
    id: fromUuid('wh', row.id),
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
  };
}
