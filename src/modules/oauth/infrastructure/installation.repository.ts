import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type AppId, fromUuid, type InstallationId, toUuid, type UserId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
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
  /** The scopes of all grants together: a later consent to fewer scopes doesn't narrow earlier grants. */
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
export class PostgresInstallationRepository extends InstallationRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async lockOf(ref: WorkspaceRef, app: App): Promise<Installation | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE ${OF_WORKSPACE} AND i.app_id = $3 AND i.removed_at IS NULL
       FOR UPDATE OF i`,
      workspaceKey(ref, app.id),
    );
    return row && toInstallation(row);
  }

  async add(installation: Installation, events: DomainEvent[]): Promise<void> {
    const { id, appId, scopes, installedBy, createdAt } = installation;
    const insert = {
      text: `INSERT INTO oauth_installations (workspace_id, mode, id, app_id, scopes, installed_by, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      values: [...workspaceKey(installation, id, appId), scopes, toUuid(installedBy), createdAt],
    };
    await this.database.query(withEvents(insert, events));
  }

  async setScopes(installation: Installation): Promise<void> {
    const { id, scopes } = installation;
    await this.database.sql(`UPDATE oauth_installations SET scopes = $4 WHERE ${IN_WORKSPACE} AND id = $3`, [
      ...workspaceKey(installation, id),
      scopes,
    ]);
  }

  /** Also deletes grants that have neither a valid code nor a valid refresh token. */
  async addGrant(
    installation: Installation,
    userId: UserId,
    { hash, redirectUri, codeChallenge, expiresAt }: NewCode,
    now: Date,
  ): Promise<void> {
    await this.database.sql(
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
      [
        ...[randomUUID(), ...workspaceKey(installation, installation.id, userId), installation.scopes],
        ...[hash, redirectUri, codeChallenge ?? null, expiresAt, now],
      ],
    );
  }

  async lock(ref: WorkspaceRef, id: InstallationId): Promise<Installation | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE ${OF_WORKSPACE} AND i.id = $3 FOR UPDATE OF i`,
      workspaceKey(ref, id),
    );
    return row && toInstallation(row);
  }

  async lockAllOf(appId: AppId): Promise<Installation[]> {
    const rows = await this.database.sql<Row>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE i.app_id = $1 AND i.removed_at IS NULL
       ORDER BY i.workspace_id, i.mode, i.id FOR UPDATE OF i`,
      [toUuid(appId)],
    );
    return rows.map(toInstallation);
  }

  async remove(installation: Installation, events: DomainEvent[]): Promise<void> {
    const key = workspaceKey(installation, installation.id);
    await this.database.sql(`DELETE FROM oauth_grants WHERE ${IN_WORKSPACE} AND installation_id = $3`, key);
    const update = {
      text: `UPDATE oauth_installations SET removed_at = $4 WHERE ${IN_WORKSPACE} AND id = $3`,
      values: [...key, installation.removedAt],
    };
    await this.database.query(withEvents(update, events));
  }

  async list(ref: WorkspaceRef): Promise<InstalledApp[]> {
    const rows = await this.database.sql<InstalledRow>(
      `${INSTALLED} ORDER BY a.name, i.id`,
      workspaceKey(ref),
    );
    return rows.map(toInstalledApp);
  }

  async find(ref: WorkspaceRef, id: InstallationId): Promise<InstalledApp | undefined> {
    const [row] = await this.database.sql<InstalledRow>(`${INSTALLED} AND i.id = $3`, workspaceKey(ref, id));
    return row && toInstalledApp(row);
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
