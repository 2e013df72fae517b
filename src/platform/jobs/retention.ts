import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { describeError } from '../logging/describe-error';
import { Logger } from '../logging/logger';
import { clearOldRows } from '../persistence/clear-old-rows';
import { Database } from '../persistence/database';
import { BackgroundJobs } from './background-jobs';
import { PeriodicWork } from './periodic-work';

const INTERVAL_MS = 3600 * 1000;

type Clear = (signal?: AbortSignal) => Promise<void>;

/** Deletes expired rows once an hour, one table after the other. Several instances may do so at the same time. */
@Injectable()
export class Retention implements OnModuleInit {
  private readonly tables = new Map<string, Clear>();

  constructor(
    private readonly database: Database,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.register(new PeriodicWork((signal) => this.clear(signal), INTERVAL_MS, this.warn));
  }

  /** Keeps rows of the table for `keepMs` milliseconds after the time in `column`, the first column of an index. */
  keep(table: string, column: string, keepMs: number): void {
    this.add(table, async (signal) => {
      const before = new Date(this.clock.now().getTime() - keepMs);
      await clearOldRows(this.database, { table, column, before, signal });
    });
  }

  /** For a table with rules of its own. `clear` must end soon after the signal. */
  add(table: string, clear: Clear): void {
    this.tables.set(table, clear);
  }

  /** A table that fails keeps no other from being cleared. */
  async clear(signal?: AbortSignal): Promise<void> {
    for (const [table, clear] of this.tables) {
      if (signal?.aborted) return;
      await clear(signal).catch((error: unknown) => this.warn(error, table));
    }
  }

  private readonly warn = (error: unknown, table?: string) =>
    this.logger.warn({ ...describeError(error), table }, 'expired rows could not be deleted');
}
