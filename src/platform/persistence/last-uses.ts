import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { describeError } from '../logging/describe-error';
import type { Logger } from '../logging/logger';
import type { Database } from './database';

const FLUSH_INTERVAL_MS = 10_000;

/** A row of tenant data, by its whole primary key. */
interface UsedRow {
  readonly workspace_id: string;
  readonly mode: string;
  readonly id: string;
}

/** Keeps `last_used_at` of one table up to date within seconds, without a write for every request. */
export abstract class LastUses implements OnModuleInit, OnApplicationShutdown {
  private readonly uses = new Map<string, { row: UsedRow; at: Date }>();
  private timer?: NodeJS.Timeout;

  protected constructor(
    private readonly table: string,
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

  record(row: UsedRow, at: Date): void {
    this.uses.set(row.id, { row, at });
  }

  /** Skips locked rows, so that it can't deadlock with changes; they stay in `uses` until the next flush. */
  private async flush(): Promise<void> {
    const uses = [...this.uses.values()];
    if (uses.length === 0) return;
    try {
      const written = await this.database.sql<{ id: string }>(
        `WITH used AS (
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) AS used (workspace_id, mode, id, at)
          ), free AS MATERIALIZED (
            SELECT target.workspace_id, target.mode, target.id, used.at
            FROM used JOIN ${this.table} target USING (workspace_id, mode, id)
            FOR NO KEY UPDATE OF target SKIP LOCKED
          )
          UPDATE ${this.table} SET last_used_at = greatest(last_used_at, free.at) FROM free
          WHERE (${this.table}.workspace_id, ${this.table}.mode, ${this.table}.id) = (free.workspace_id, free.mode, free.id)
          RETURNING ${this.table}.id`,
        [
          uses.map(({ row }) => row.workspace_id),
          uses.map(({ row }) => row.mode),
          uses.map(({ row }) => row.id),
          uses.map(({ at }) => at),
        ],
      );
      const flushed = new Set(written.map(({ id }) => id));
      for (const use of uses) {
        if (flushed.has(use.row.id) && this.uses.get(use.row.id) === use) this.uses.delete(use.row.id);
      }
    } catch (error) {
      this.logger.warn({ table: this.table, ...describeError(error) }, 'last uses could not be stored yet');
    }
  }
}
