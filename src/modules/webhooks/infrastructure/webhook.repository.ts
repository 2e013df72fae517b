import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Unauthorized } from '../../../kernel/errors';
import { fromUuid, toUuid, type WebhookId, type WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { SecretBox } from '../../../platform/encryption/secret-box';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import type { EndpointOwner } from '../application/endpoints-of';
import { type EndpointAddress, WebhookRepository } from '../application/webhook-repository';
import { BY_REQUEST, type EndpointDetails, EXPIRED, WebhookEndpoint } from '../domain/webhook-endpoint';
import { type StoredEndpoint, WebhookEndpointSchema } from './webhook-endpoint.schema';

const OF_WORKSPACE = `${IN_WORKSPACE} AND deleted_at IS NULL`;
const OF_OWNER = `${OF_WORKSPACE} AND ($3::uuid IS NULL OR installation_id = $3)`;
/** An app's endpoint loses the scopes that its app loses. */
const SCOPES_IN_FORCE = 'webhook_scopes(webhook_endpoints) AS scopes_in_force';

interface DetailsRow {
  id: string;
  scopes_in_force: string[] | null;
}

/** The place that the secret box binds an endpoint's secrets to. */
export function placeOf(id: WebhookId): string {
  return `secret of ${id}`;
}

@Injectable()
export class PostgresWebhookRepository extends WebhookRepository {
  private readonly statements: EntityStatements<StoredEndpoint>;
  private readonly toDetails: (row: DetailsRow) => EndpointDetails;

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {
    super();
    this.statements = database.statements(WebhookEndpointSchema);
    const read = this.statements.plainReader('workspaceId', 'mode', 'secret', 'previousSecret', 'deletedAt');
    this.toDetails = (row) => ({ ...this.expired(read(row)), scopes: row.scopes_in_force });
    for (const column of ['secret', 'previous_secret']) {
      secrets.keptIn({
        table: 'webhook_endpoints',
        column,
        placeOf: (uuid) => placeOf(fromUuid('wh', uuid)),
      });
    }
  }

  async lockAddresses(ref: WorkspaceRef): Promise<EndpointAddress[]> {
    await this.database.sql('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [
      toUuid(ref.workspaceId),
    ]);
    const rows = await this.database.sql<{ id: string; url: string; is_verified: boolean }>(
      `SELECT id, url, verified_at IS NOT NULL AS is_verified FROM webhook_endpoints WHERE ${OF_WORKSPACE}`,
      workspaceKey(ref),
    );
    return rows.map(({ id, url, is_verified: isVerified }) => ({ id: fromUuid('wh', id), url, isVerified }));
  }

  async add(endpoint: WebhookEndpoint): Promise<void> {
    await this.holdApp(endpoint);
    await this.database.query(this.statements.insert(await this.seal(endpoint)));
  }

  async lock(owner: EndpointOwner, id: WebhookId): Promise<WebhookEndpoint | undefined> {
    const [row] = await this.database.sql<object>(
      `${this.statements.select} WHERE ${OF_OWNER} AND id = $4 FOR NO KEY UPDATE`,
      [...valuesOf(owner), toUuid(id)],
    );
    return row && this.open(this.statements.read(row));
  }

  async save(endpoint: WebhookEndpoint): Promise<void> {
    await this.database.query(this.statements.update(await this.seal(endpoint)));
  }

  async find(owner: EndpointOwner, id: WebhookId): Promise<EndpointDetails | undefined> {
    const [row] = await this.database.sql<DetailsRow>(
      `SELECT ${this.statements.columns}, ${SCOPES_IN_FORCE} FROM webhook_endpoints WHERE ${OF_OWNER} AND id = $4`,
      [...valuesOf(owner), toUuid(id)],
    );
    return row && this.toDetails(row);
  }

  list(owner: EndpointOwner, request: PageRequest): Promise<Slice<EndpointDetails>> {
    const parameters = new Parameters();
    for (const value of valuesOf(owner)) parameters.add(value);
    const source = this.statements.sortedBy('createdAt');
    const columns = `${source.columns}, ${SCOPES_IN_FORCE}`;
    const query = { ...source, columns, conditions: [OF_OWNER], parameters, request };
    return readSlice(this.database, query, this.toDetails);
  }

  async failing(ref: WorkspaceRef, most: number): Promise<EndpointDetails[]> {
    const rows = await this.database.sql<DetailsRow>(
      `SELECT ${this.statements.columns}, ${SCOPES_IN_FORCE} FROM webhook_endpoints
       WHERE ${OF_WORKSPACE} AND (failing_since IS NOT NULL OR disabled_reason <> $3)
       ORDER BY failing_since, id LIMIT $4`,
      [...workspaceKey(ref), BY_REQUEST, most],
    );
    return rows.map(this.toDetails);
  }

  async hasVerified(workspaceId: WorkspaceId): Promise<boolean> {
    const found = await this.database.sql(
      `SELECT FROM webhook_endpoints WHERE workspace_id = $1 AND mode IN ('live', 'test')
         AND deleted_at IS NULL AND verified_at IS NOT NULL LIMIT 1`,
      [toUuid(workspaceId)],
    );
    return found.length > 0;
  }

  /** Keeps the app from being removed until the unit of work ends: its endpoints go with it. */
  private async holdApp({ workspaceId, mode, installationId }: WebhookEndpoint): Promise<void> {
    if (!installationId) return;
    const installed = await this.database.sql(
      `SELECT FROM oauth_installations WHERE ${IN_WORKSPACE} AND id = $3 AND removed_at IS NULL FOR SHARE`,
      workspaceKey({ workspaceId, mode }, installationId),
    );
    if (installed.length === 0) throw new Unauthorized('The app was removed from the workspace.', true);
  }

  private async seal(endpoint: WebhookEndpoint): Promise<StoredEndpoint> {
    const seal = (secret: string) => this.secrets.seal(secret, placeOf(endpoint.id));
    const { secret, previousSecret } = endpoint;
    return {
      ...endpoint,
      secret: await seal(secret),
      previousSecret: previousSecret === null ? null : await seal(previousSecret),
    };
  }

  private open(stored: StoredEndpoint): WebhookEndpoint {
    const open = (sealed: Buffer) => this.secrets.open(sealed, placeOf(stored.id));
    const { secret, previousSecret } = stored;
    return WebhookEndpoint.from({
      ...this.expired(stored),
      secret: open(secret),
      previousSecret: previousSecret && open(previousSecret),
    });
  }

  /** Shows an endpoint that has outlived its maker's credential as disabled, which is a change like others. */
  private expired<
    Endpoint extends Pick<EndpointDetails, 'status' | 'disabledReason' | 'expiresAt' | 'revision'>,
  >(endpoint: Endpoint): Endpoint {
    const { status, expiresAt } = endpoint;
    if (status === 'disabled' || expiresAt === null || expiresAt > this.clock.now()) return endpoint;
    return { ...endpoint, status: 'disabled', disabledReason: EXPIRED, revision: endpoint.revision + 1 };
  }
}

function valuesOf({ installationId, ...ref }: EndpointOwner): unknown[] {
  return [...workspaceKey(ref), installationId && toUuid(installationId)];
}
