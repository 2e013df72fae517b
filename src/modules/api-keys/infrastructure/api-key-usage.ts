import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Database } from '../../../platform/persistence/database';

const FLUSH_INTERVAL_MS = 10_000;

/** The key's row, by its whole primary key. */
export interface UsedKey {
  readonly workspace_id: string;
  readonly mode: string;
  readonly id: string;
}

/** Keeps `lastUsedAt` up to date within seconds, without a write for every request. */
@Injectable()
export class ApiKeyUsage implements OnModuleInit, OnApplicationShutdown {
  private readonly lastUses = new Map<string, { key: UsedKey; at: Date }>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  record(key: UsedKey, at: Date): void {
    this.lastUses.set(key.id, { key, at });
  }

  /** Waits for no lock, so that it can't get into a deadlock with those who change keys: what is locked waits its turn. */
  private async flush(): Promise<void> {
    const uses = [...this.lastUses.values()];
    if (uses.length === 0) return;
    try {
      const written = await this.database.query<{ id: string }>({
        text: `
          WITH used AS (
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) AS used (workspace_id, mode, id, at)
          ), free AS MATERIALIZED (
            SELECT key.workspace_id, key.mode, key.id, used.at
            FROM used JOIN api_keys key USING (workspace_id, mode, id)
            FOR NO KEY UPDATE OF key SKIP LOCKED
          )
          UPDATE api_keys SET last_used_at = greatest(last_used_at, free.at) FROM free
          WHERE (api_keys.workspace_id, api_keys.mode, api_keys.id) = (free.workspace_id, free.mode, free.id)
          RETURNING api_keys.id`,
        values: [
          uses.map(({ key }) => key.workspace_id),
          uses.map(({ key }) => key.mode),
          uses.map(({ key }) => key.id),
          uses.map(({ at }) => at),
        ],
      });
      const flushed = new Set(written.map(({ id }) => id));
      for (const use of uses) {
        if (flushed.has(use.key.id) && this.lastUses.get(use.key.id) === use)
          this.lastUses.delete(use.key.id);
      }
    } catch (error) {
      this.logger.warn(describeError(error), 'last uses of API keys could not be stored yet');
    }
  }
}
