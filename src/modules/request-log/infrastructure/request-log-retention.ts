import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { clearOldRows } from '../../../platform/persistence/clear-old-rows';
import { Database } from '../../../platform/persistence/database';

const KEEP_MS = 30 * 24 * 3600 * 1000;
/** Of each workspace and mode so many that succeeded, and as many that failed: some 230 MB each. */
const KEEP_ROWS = 500_000;
const INTERVAL_MS = 3600 * 1000;

type Part = { workspace_id: string; mode: string; failed: boolean };

/** Throws lines away after 30 days, or sooner where there are too many. Several instances may be at it together. */
@Injectable()
export class RequestLogRetention implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'old lines of the request log could not be thrown away');
    this.jobs.register(new PeriodicWork((signal) => this.clear(signal), INTERVAL_MS, failed));
  }

  async clear(signal?: AbortSignal, keepRows = KEEP_ROWS): Promise<void> {
    const tooOld = new Date(this.clock.now().getTime() - KEEP_MS);
    for (let part = await this.partAfter(); part && !signal?.aborted; part = await this.partAfter(part)) {
      const tooMany = await this.timeOfRow(part, keepRows);
      const before = tooMany && tooMany > tooOld ? tooMany : tooOld;
      await clearOldRows(this.database, {
        table: 'request_log',
        column: 'occurred_at',
        before,
        where: part,
        signal,
      });
    }
  }

  /** The ranges of the primary key one after the other, each found by one step into the index. */
  private async partAfter(part?: Part): Promise<Part | undefined> {
    const [next] = await this.database.query<Part>({
      text: `SELECT workspace_id, mode, failed FROM request_log
             ${part ? 'WHERE (workspace_id, mode, failed) > ($1, $2, $3)' : ''}
             ORDER BY workspace_id, mode, failed LIMIT 1`,
      values: part ? [part.workspace_id, part.mode, part.failed] : [],
    });
    return next;
  }

  /** Of the last row that may stay, counted from the newest. */
  private async timeOfRow({ workspace_id, mode, failed }: Part, number: number): Promise<Date | undefined> {
    const [row] = await this.database.query<{ occurred_at: Date }>({
      text: `SELECT occurred_at FROM request_log WHERE workspace_id = $1 AND mode = $2 AND failed = $3
             ORDER BY occurred_at DESC OFFSET $4 LIMIT 1`,
      values: [workspace_id, mode, failed, number - 1],
    });
    return row?.occurred_at;
  }
}
