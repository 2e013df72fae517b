import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Retention } from '../../../platform/jobs/retention';
import { clearOldRows } from '../../../platform/persistence/clear-old-rows';
import { Database } from '../../../platform/persistence/database';

const KEEP_MS = 30 * 24 * 3600 * 1000;
/** Of each workspace and mode: this many successful requests and as many failed ones, about 230 MB each. */
const KEEP_ROWS = 500_000;

type Part = { workspace_id: string; mode: string; failed: boolean };

/** Deletes requests after 30 days, or earlier where there are too many. */
@Injectable()
export class RequestLogRetention {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    retention: Retention,
  ) {
    retention.add('request_log', (signal) => this.clear(signal));
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

  /** Finds the next range of the primary key by one step into the index. */
  private async partAfter(part?: Part): Promise<Part | undefined> {
    const [next] = await this.database.sql<Part>(
      `SELECT workspace_id, mode, failed FROM request_log
       ${part ? 'WHERE (workspace_id, mode, failed) > ($1, $2, $3)' : ''}
       ORDER BY workspace_id, mode, failed LIMIT 1`,
      part ? [part.workspace_id, part.mode, part.failed] : [],
    );
    return next;
  }

  /** The time of the row with that number, counted from the newest. */
  private async timeOfRow({ workspace_id, mode, failed }: Part, number: number): Promise<Date | undefined> {
    const [row] = await this.database.sql<{ occurred_at: Date }>(
      `SELECT occurred_at FROM request_log WHERE workspace_id = $1 AND mode = $2 AND failed = $3
       ORDER BY occurred_at DESC OFFSET $4 LIMIT 1`,
      [workspace_id, mode, failed, number - 1],
    );
    return row?.occurred_at;
  }
}
