import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid } from '../../../kernel/ids';
import { ShortLivedCache } from '../../../kernel/short-lived-cache';
import { hashSecretToken } from '../../../kernel/secret-token';
import type { Mode } from '../../../kernel/principal';
import {
  type CredentialVerifier,
  CredentialVerifiers,
  type Verification,
} from '../../../platform/access/credential-verifier';
import { Database } from '../../../platform/persistence/database';
import { isWellFormed } from '../domain/api-key-token';
import { ApiKeyUsage } from './api-key-usage';

interface Row {
  workspace_id: string;
  mode: Mode;
  id: string;
  name: string;
  scopes: string[];
  ends_at: Date | null;
  revoked: boolean;
  replaced: boolean;
  first_id: string | null;
}

/** Looks a key up and caches it for half a second; revocation and rotation wait that long before they answer. */
@Injectable()
export class ApiKeyVerifier implements CredentialVerifier, OnModuleInit {
  private readonly cache = new ShortLivedCache<Row | undefined>();

  constructor(
    private readonly verifiers: CredentialVerifiers,
    private readonly database: Database,
    private readonly usage: ApiKeyUsage,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.verifiers.register(this);
  }

  recognises(token: string): boolean {
    return isWellFormed(token);
  }

  recall(token: string): Promise<Verification> | undefined {
    return this.cache.recall(cacheKey(hashSecretToken(token)))?.then((row) => this.verification(row));
  }

  async verify(token: string): Promise<Verification> {
    const hash = hashSecretToken(token);
    return this.verification(await this.cache.read(cacheKey(hash), () => this.find(hash)));
  }

  private verification(row: Row | undefined): Verification {
    if (!row) return { refused: 'unknown' };
    const now = this.clock.now();
    if (row.revoked || (row.ends_at && row.ends_at <= now)) return { refused: 'ended' };
    this.usage.record(row, now);
    return {
      identity: {
        workspaceId: fromUuid('ws', row.workspace_id),
        mode: row.mode,
        credential: {
          type: 'api_key',
          id: fromUuid('key', row.id),
          name: row.name,
          scopes: row.scopes,
          isReplaced: row.replaced,
          ...(row.first_id && { replaces: fromUuid('key', row.first_id) }),
        },
      },
    };
  }

  private async find(hash: Buffer): Promise<Row | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT workspace_id, mode, id, name, scopes, least(expires_at, grace_ends_at) AS ends_at,
         revoked_at IS NOT NULL AS revoked, grace_ends_at IS NOT NULL AS replaced, first_id
       FROM api_keys WHERE hash = $1`,
      [hash],
    );
    return row;
  }
}

function cacheKey(hash: Buffer): string {
  return hash.toString('base64');
}
