import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { type BackgroundJob, BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Database } from '../../../platform/persistence/database';

const KEEP_MS = 30 * 24 * 3600 * 1000;
const INTERVAL_MS = 3600 * 1000;
const BATCH = 5000;

/** Throws events and deliveries away after 30 days, a few at a time. Several instances may be at it together. */
@Injectable()
export class Retention implements BackgroundJob, OnModuleInit {
  private readonly stopping = new AbortController();
  private running?: Promise<void>;

  constructor(
    private readonly database: Database,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.register(this);
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async clear(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEEP_MS);
    await this.clearTable('webhook_deliveries', 'created_at', before);
    await this.clearTable('events', 'occurred_at', before);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.clear().catch((error: unknown) =>
        this.logger.warn(describeError(error), 'old events could not be thrown away'),
      );
      await sleep(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async clearTable(table: string, column: string, before: Date): Promise<void> {
    let removed = BATCH;
    while (removed === BATCH && !this.stopping.signal.aborted) {
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
