import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';
import { hashSecretToken } from '../../../kernel/secret-token';
import {
  type CredentialVerifier,
  CredentialVerifiers,
  type Verification,
} from '../../../platform/access/credential-verifier';
import { Database } from '../../../platform/persistence/database';
import { isAccessToken } from '../domain/tokens';
import { InstallationUsage } from './installation-usage';
import { RegisteredOrigins } from './registered-origins';

interface Row {
  workspace_id: string;
  mode: Mode;
  id: string;
  name: string;
  scopes: string[];
  app_scopes: string[];
  allowed_origins: string[];
  expires_at: Date;
}

/** Looks up the token for every request, so that removing its app or its user takes effect at once. */
@Injectable()
export class AccessTokenVerifier implements CredentialVerifier, OnModuleInit {
  constructor(
    private readonly verifiers: CredentialVerifiers,
    private readonly database: Database,
    private readonly usage: InstallationUsage,
    private readonly origins: RegisteredOrigins,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.verifiers.register(this);
  }

  recognises(token: string): boolean {
    return isAccessToken(token);
  }

  admitsOrigin(origin: string): Promise<boolean> {
    return this.origins.has(origin);
  }

  async verify(token: string): Promise<Verification> {
    const [row] = await this.database.sql<Row>(
      `SELECT i.workspace_id, i.mode, i.id, a.name, t.scopes, a.scopes AS app_scopes, a.allowed_origins,
         t.expires_at
       FROM oauth_access_tokens t
       JOIN oauth_grants g ON g.id = t.grant_id
       JOIN oauth_installations i ON (i.workspace_id, i.mode, i.id) = (g.workspace_id, g.mode, g.installation_id)
       JOIN oauth_apps a ON a.id = i.app_id
       WHERE t.hash = $1`,
      [hashSecretToken(token)],
    );
    if (!row) return { refused: 'unknown' };
    const now = this.clock.now();
    if (row.expires_at <= now) return { refused: 'ended' };
    this.usage.record(row, now);
    return {
      identity: {
        workspaceId: fromUuid('ws', row.workspace_id),
        mode: row.mode,
        credential: {
          type: 'oauth',
          id: fromUuid('inst', row.id),
          name: row.name,
          // Scopes that the operator revokes from an app are revoked from its tokens too.
          scopes: row.scopes.filter((scope) => row.app_scopes.includes(scope)),
          origins: row.allowed_origins,
        },
      },
    };
  }
}
