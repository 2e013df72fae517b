import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../kernel/errors';
import { toUuid } from '../../kernel/ids';
import type { WorkspaceRef } from '../../kernel/principal';
import { Database } from '../persistence/database';

/** After a crash, this long until its credential can export again. */
const LEASE_SECONDS = 60;
const RENEW_MS = 20_000;
const RETRY_AFTER_SECONDS = 10;
const KEY = 'workspace_id = $1 AND mode = $2 AND holder = $3 AND token = $4';

/** The right of one holder to export, until it ends. */
export interface ExportLease {
  end(): Promise<void>;
}

/** Who is exporting: one row for each, since instances share no memory. */
@Injectable()
export class ExportsUnderWay {
  constructor(private readonly database: Database) {}

  /**
   * @param holder the id of a credential or person
   * @param onLost is called when the database was away for so long that another export may run
   * @throws RateLimited while the holder's previous export runs
   */
  async begin({ workspaceId, mode }: WorkspaceRef, holder: string, onLost: () => void): Promise<ExportLease> {
    const key = [toUuid(workspaceId), mode, holder, randomUUID()];
    const [begun] = await this.database.sql(
      `INSERT INTO exports_under_way AS earlier (workspace_id, mode, holder, token, expires_at)
       VALUES ($1, $2, $3, $4, now() + interval '${LEASE_SECONDS} seconds')
       ON CONFLICT (workspace_id, mode, holder) DO UPDATE SET token = $4, expires_at = excluded.expires_at
       WHERE earlier.expires_at < now()
       RETURNING token`,
      key,
    );
    if (!begun) {
      const message = `Another export of this credential is running. Try again when it has ended.`;
      throw new RateLimited(RETRY_AFTER_SECONDS, message);
    }
    const renewal = setInterval(
      () => void this.renew(key).then((held) => held || onLost()),
      RENEW_MS,
    ).unref();
    return {
      end: async () => {
        clearInterval(renewal);
        // The database may be what the export failed for. The lease then expires.
        await this.database.sql(`DELETE FROM exports_under_way WHERE ${KEY}`, key).catch(() => undefined);
      },
    };
  }

  /** While the database is away nobody else gets the lease: it counts as held. */
  private async renew(key: readonly unknown[]): Promise<boolean> {
    const renewed = this.database.sql(
      `UPDATE exports_under_way SET expires_at = now() + interval '${LEASE_SECONDS} seconds' WHERE ${KEY} RETURNING token`,
      key,
    );
    return renewed.then(
      ([row]) => row !== undefined,
      () => true,
    );
  }
}
