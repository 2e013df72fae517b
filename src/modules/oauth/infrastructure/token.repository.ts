import { Injectable } from '@nestjs/common';
import { fromUuid } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import {
  type Grant,
  type NewTokens,
  type StoredCode,
  type StoredToken,
  TokenRepository,
} from '../application/token-repository';

interface GrantRow {
  grant_id: string;
  app_id: string;
  workspace_id: string;
  mode: Mode;
  installation_id: string;
  user_id: string;
  grant_scopes: string[];
  current_generation: number;
  rotated_at: Date | null;
}

interface CodeRow extends GrantRow {
  redirect_uri: string;
  code_challenge: string | null;
  expires_at: Date;
  used_at: Date | null;
}

interface TokenRow extends GrantRow {
  kind: 'access' | 'refresh';
  scopes: string[];
  created_at: Date | null;
  expires_at: Date;
  generation: number | null;
}

const GRANT_COLUMNS = `g.id AS grant_id, i.app_id, g.workspace_id, g.mode, g.installation_id, g.user_id,
  g.scopes AS grant_scopes, g.generation AS current_generation, g.rotated_at`;
const GRANT = `oauth_grants g
  JOIN oauth_installations i ON (i.workspace_id, i.mode, i.id) = (g.workspace_id, g.mode, g.installation_id)`;
const REFRESH_TOKEN = `
  SELECT 'refresh' AS kind, g.scopes, NULL::timestamptz AS created_at, t.expires_at, t.generation, ${GRANT_COLUMNS}
  FROM oauth_refresh_tokens t JOIN ${GRANT} ON g.id = t.grant_id WHERE t.hash = $1`;
const ACCESS_TOKEN = `
  SELECT 'access' AS kind, t.scopes, t.created_at, t.expires_at, NULL::integer AS generation, ${GRANT_COLUMNS}
  FROM oauth_access_tokens t JOIN ${GRANT} ON g.id = t.grant_id WHERE t.hash = $1`;

@Injectable()
export class PostgresTokenRepository extends TokenRepository {
  constructor(private readonly database: Database) {
    super();
  }

  /** Locks the grant first, like every change of its codes and tokens. */
  async lockCode(hash: Buffer): Promise<StoredCode | undefined> {
    await this.database.sql(
      'SELECT FROM oauth_grants WHERE id = (SELECT grant_id FROM oauth_codes WHERE hash = $1) FOR UPDATE',
      [hash],
    );
    const [row] = await this.database.sql<CodeRow>(
      `SELECT c.redirect_uri, c.code_challenge, c.expires_at, c.used_at, ${GRANT_COLUMNS}
       FROM oauth_codes c JOIN ${GRANT} ON g.id = c.grant_id WHERE c.hash = $1`,
      [hash],
    );
    return (
      row && {
        grant: toGrant(row),
        redirectUri: row.redirect_uri,
        codeChallenge: row.code_challenge ?? undefined,
        expiresAt: row.expires_at,
        wasUsed: row.used_at !== null,
      }
    );
  }

  async markUsed(codeHash: Buffer, now: Date): Promise<void> {
    await this.database.sql('UPDATE oauth_codes SET used_at = $2 WHERE hash = $1', [codeHash, now]);
  }

  async lockRefreshToken(hash: Buffer): Promise<StoredToken | undefined> {
    await this.database.sql(
      'SELECT FROM oauth_grants WHERE id = (SELECT grant_id FROM oauth_refresh_tokens WHERE hash = $1) FOR UPDATE',
      [hash],
    );
    const [row] = await this.database.sql<TokenRow>(REFRESH_TOKEN, [hash]);
    return row && toToken(row);
  }

  async find(hash: Buffer): Promise<StoredToken | undefined> {
    const [row] = await this.database.sql<TokenRow>(`${REFRESH_TOKEN} UNION ALL ${ACCESS_TOKEN}`, [hash]);
    return row && toToken(row);
  }

  async add(grant: Grant, tokens: NewTokens, now: Date): Promise<void> {
    await this.database.sql(
      `WITH expired_access AS (
         DELETE FROM oauth_access_tokens WHERE grant_id = $1 AND expires_at <= $2
       ), expired_refresh AS (
         DELETE FROM oauth_refresh_tokens WHERE grant_id = $1 AND expires_at <= $2
       ), refresh AS (
         INSERT INTO oauth_refresh_tokens (hash, grant_id, generation, expires_at) VALUES ($3, $1, $4, $5)
       )
       INSERT INTO oauth_access_tokens (hash, grant_id, scopes, created_at, expires_at) VALUES ($6, $1, $7, $2, $8)`,
      [
        grant.id,
        now,
        tokens.refreshHash,
        grant.generation,
        tokens.refreshExpiresAt,
        tokens.accessHash,
        tokens.accessScopes,
        tokens.accessExpiresAt,
      ],
    );
  }

  async rotate(grant: Grant, now: Date): Promise<Grant> {
    const next = { ...grant, generation: grant.generation + 1, rotatedAt: now };
    await this.database.sql('UPDATE oauth_grants SET generation = $2, rotated_at = $3 WHERE id = $1', [
      grant.id,
      next.generation,
      now,
    ]);
    return next;
  }

  async removeAccessToken(hash: Buffer): Promise<void> {
    await this.database.sql('DELETE FROM oauth_access_tokens WHERE hash = $1', [hash]);
  }

  async removeGrant(id: string): Promise<void> {
    await this.database.sql('DELETE FROM oauth_grants WHERE id = $1', [id]);
  }
}

function toGrant(row: GrantRow): Grant {
  return {
    id: row.grant_id,
    appId: fromUuid('app', row.app_id),
    workspaceId: fromUuid('ws', row.workspace_id),
    mode: row.mode,
    installationId: fromUuid('inst', row.installation_id),
    userId: fromUuid('user', row.user_id),
    scopes: row.grant_scopes,
    generation: row.current_generation,
    rotatedAt: row.rotated_at,
  };
}

function toToken(row: TokenRow): StoredToken {
  const { kind, scopes, created_at, expires_at, generation } = row;
  return { kind, scopes, createdAt: created_at, expiresAt: expires_at, generation, grant: toGrant(row) };
}
