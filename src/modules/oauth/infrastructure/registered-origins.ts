import { Injectable } from '@nestjs/common';
import { ShortLivedCache } from '../../../kernel/short-lived-cache';
import { Database } from '../../../platform/persistence/database';

/** Far above what an installation has. */
const MAX_ORIGINS = 10_000;

/**
 * The origins of all apps. They are read together and kept for half a second, so that requests with made-up origins cost at
 * most two queries a second.
 */
@Injectable()
export class RegisteredOrigins {
  private readonly cache = new ShortLivedCache<ReadonlySet<string>>();

  constructor(private readonly database: Database) {}

  /** False while the database can't be read: the request itself gets the error then. */
  async has(origin: string): Promise<boolean> {
    const origins = await this.cache.read('all', () => this.readAll()).catch(() => undefined);
    return origins?.has(origin) ?? false;
  }

  private async readAll(): Promise<ReadonlySet<string>> {
    const rows = await this.database.sql<{ origin: string }>(
      `SELECT DISTINCT unnest(allowed_origins) AS origin FROM oauth_apps WHERE deleted_at IS NULL LIMIT ${MAX_ORIGINS}`,
      [],
    );
    return new Set(rows.map((row) => row.origin));
  }
}
