import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Database } from '../../../platform/persistence/database';

const KEEP_MS = 30 * 24 * 3600 * 1000;
const INTERVAL_MS = 3600 * 1000;
const BATCH = 5000;

/** Throws events and deliveries away after 30 days, a few at a time. Several instances may be at it together. */
@Injectable()
export class Retention implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'old events could not be thrown away');
    this.jobs.register(new PeriodicWork((signal) => this.clear(signal), INTERVAL_MS, failed));
  }

  async clear(signal?: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEEP_MS);
    await this.clearTable('webhook_deliveries', 'created_at', before, signal);
    await this.clearTable('events', 'occurred_at', before, signal);
  }

  private async clearTable(table: string, column: string, before: Date, signal?: AbortSignal): Promise<void> {
    let removed = BATCH;
    while (removed === BATCH && !signal?.aborted) {
      const rows = await this.database.query({
        text: `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
                 SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
               )) RETURNING 1`,
        values: [before],
      });
      removed = rows.length;
    }
  }
}
