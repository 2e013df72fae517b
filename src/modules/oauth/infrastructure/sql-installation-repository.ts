import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type AppId, fromUuid, type InstallationId, toUuid, type UserId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import {
  type InstalledApp,
  InstallationRepository,
  type NewCode,
} from '../application/installation-repository';
import type { App } from '../domain/app';
import type { Installation } from '../domain/installation';

interface Row {
  workspace_id: string;
  mode: Mode;
  id: string;
  app_id: string;
  app_name: string;
  scopes: string[];
  installed_by: string;
  created_at: Date;
  last_used_at: Date | null;
  removed_at: Date | null;
}

interface InstalledRow extends Row {
  installer: string;
  is_connected: boolean;
  /** What all its grants together allow: a later consent to less takes nothing away from an earlier one. */
  scopes_in_force: string[];
}

const COLUMNS = `i.workspace_id, i.mode, i.id, i.app_id, a.name AS app_name, i.scopes, i.installed_by, i.created_at,
  i.last_used_at, i.removed_at`;
const FROM = `oauth_installations i JOIN oauth_apps a ON a.id = i.app_id`;
const OF_WORKSPACE = `i.workspace_id = $1 AND i.mode = $2`;
const INSTALLED = `
  SELECT ${COLUMNS}, u.email AS installer, EXISTS (
    SELECT FROM oauth_grants g JOIN oauth_refresh_tokens t ON t.grant_id = g.id
    WHERE (g.workspace_id, g.mode, g.installation_id) = (i.workspace_id, i.mode, i.id)
  ) AS is_connected, ARRAY(
    SELECT DISTINCT scope FROM oauth_grants g, unnest(g.scopes) AS scope
    WHERE (g.workspace_id, g.mode, g.installation_id) = (i.workspace_id, i.mode, i.id) AND scope = ANY(a.scopes)
    ORDER BY scope
  ) AS scopes_in_force
  FROM ${FROM} JOIN users u ON u.id = i.installed_by
  WHERE ${OF_WORKSPACE} AND i.removed_at IS NULL`;

@Injectable()
export class SqlInstallationRepository extends InstallationRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async lockOf({ workspaceId, mode }: WorkspaceRef, app: App): Promise<Installation | undefined> {
    const [row] = await this.run<Row>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE ${OF_WORKSPACE} AND i.app_id = $3 AND i.removed_at IS NULL
       FOR UPDATE OF i`,
      toUuid(workspaceId),
      mode,
      toUuid(app.id),
    );
    return row && toInstallation(row);
  }

  async add(installation: Installation, events: DomainEvent[]): Promise<void> {
    const { workspaceId, mode, id, appId, scopes, installedBy, createdAt } = installation;
    const insert = {
      text: `INSERT INTO oauth_installations (workspace_id, mode, id, app_id, scopes, installed_by, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      values: [
        toUuid(workspaceId),
        mode,
        toUuid(id),
        toUuid(appId),
        scopes,
        toUuid(installedBy),
        createdAt,
      ] as unknown[],
    };
    await this.database.query(withEvents(insert, events));
  }

  async setScopes({ workspaceId, mode, id, scopes }: Installation): Promise<void> {
    await this.run(
      `UPDATE oauth_installations SET scopes = $4 WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      toUuid(workspaceId),
      mode,
      toUuid(id),
      scopes,
    );
  }

  /** Throws grants away that no code and no refresh token can bring to life any more. */
  async addGrant(
    { workspaceId, mode, id, scopes }: Installation,
    userId: UserId,
    code: NewCode,
    now: Date,
  ): Promise<void> {
    await this.run(
      `WITH dead AS (
         DELETE FROM oauth_grants g WHERE workspace_id = $2 AND mode = $3 AND installation_id = $4
           AND NOT EXISTS (SELECT FROM oauth_codes c WHERE c.grant_id = g.id AND c.expires_at > $11)
           AND NOT EXISTS (SELECT FROM oauth_refresh_tokens t WHERE t.grant_id = g.id AND t.expires_at > $11)
       ), granted AS (
         INSERT INTO oauth_grants (id, workspace_id, mode, installation_id, user_id, scopes)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id
       )
       INSERT INTO oauth_codes (hash, grant_id, redirect_uri, code_challenge, expires_at)
       SELECT $7, id, $8, $9, $10 FROM granted`,
      randomUUID(),
      toUuid(workspaceId),
      mode,
      toUuid(id),
      toUuid(userId),
      scopes,
      code.hash,
      code.redirectUri,
      code.codeChallenge ?? null,
      code.expiresAt,
      now,
    );
  }

  async lock({ workspaceId, mode }: WorkspaceRef, id: InstallationId): Promise<Installation | undefined> {
    const [row] = await this.run<Row>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE ${OF_WORKSPACE} AND i.id = $3 FOR UPDATE OF i`,
      toUuid(workspaceId),
      mode,
      toUuid(id),
    );
    return row && toInstallation(row);
  }

  async lockAllOf(appId: AppId): Promise<Installation[]> {
    const rows = await this.run<Row>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE i.app_id = $1 AND i.removed_at IS NULL
       ORDER BY i.workspace_id, i.mode, i.id FOR UPDATE OF i`,
      toUuid(appId),
    );
    return rows.map(toInstallation);
  }

  async remove({ workspaceId, mode, id, removedAt }: Installation, events: DomainEvent[]): Promise<void> {
    const ref = [toUuid(workspaceId), mode, toUuid(id)] as unknown[];
    await this.run(
      'DELETE FROM oauth_grants WHERE workspace_id = $1 AND mode = $2 AND installation_id = $3',
      ...ref,
    );
    const update = {
      text: 'UPDATE oauth_installations SET removed_at = $4 WHERE workspace_id = $1 AND mode = $2 AND id = $3',
      values: [...ref, removedAt],
    };
    await this.database.query(withEvents(update, events));
  }

  async list({ workspaceId, mode }: WorkspaceRef): Promise<InstalledApp[]> {
    const rows = await this.run<InstalledRow>(
      `${INSTALLED} ORDER BY a.name, i.id`,
      toUuid(workspaceId),
      mode,
    );
    return rows.map(toInstalledApp);
  }

  async find({ workspaceId, mode }: WorkspaceRef, id: InstallationId): Promise<InstalledApp | undefined> {
    const [row] = await this.run<InstalledRow>(
      `${INSTALLED} AND i.id = $3`,
      toUuid(workspaceId),
      mode,
      toUuid(id),
    );
    return row && toInstalledApp(row);
  }

  private run<Result>(text: string, ...values: unknown[]): Promise<Result[]> {
    return this.database.query<Result>({ text, values });
  }
}

function toInstallation(row: Row): Installation {
  return {
    workspaceId: fromUuid('ws', row.workspace_id),
    mode: row.mode,
    id: fromUuid('inst', row.id),
    appId: fromUuid('app', row.app_id),
    appName: row.app_name,
    scopes: row.scopes,
    installedBy: fromUuid('user', row.installed_by),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    removedAt: row.removed_at,
  };
}

function toInstalledApp(row: InstalledRow): InstalledApp {
  return {
    ...toInstallation(row),
    scopes: row.scopes_in_force,
    installer: row.installer,
    isConnected: row.is_connected,
  };
}
