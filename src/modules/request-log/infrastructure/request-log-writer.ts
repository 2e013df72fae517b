import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { newId, toUuid } from '../../../kernel/ids';
import { Metrics } from '../../../platform/health/metrics';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { type AnsweredRequest, AccessLog } from '../../../platform/logging/access-log';
import { Database } from '../../../platform/persistence/database';
import type { LoggedRequest } from '../domain/logged-request';

const INTERVAL_MS = 1000;
const BATCH = 500;
/** Lines held in memory: some 5 MB at most. */
const CAPACITY = 10_000;
/** Successes logged per workspace and mode, as many as five keys make at the default limits; a flood beyond them is dropped. */
const SUCCESSES_A_MINUTE = 6_000;
const COLUMNS = `workspace_id, mode, occurred_at, id, request_id, method, path, status, duration_ms, credential_id,
  credential_name`;

interface Line extends AnsweredRequest, Pick<LoggedRequest, 'id' | 'occurredAt'> {}

/**
 * Writes the log in batches, in the background. A request neither waits for its line nor fails with it: lines that find no
 * room in memory, because the database is unavailable or too slow, are dropped and counted.
 */
@Injectable()
export class RequestLogWriter implements OnModuleInit, OnApplicationShutdown {
  private readonly waiting: Line[] = [];
  private readonly lost;
  private readonly successes = new Map<string, number>();
  private minute = 0;
  private isInTrouble = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly requests: AccessLog,
    private readonly jobs: BackgroundJobs,
    metrics: Metrics,
  ) {
    this.lost = metrics.counter({
      name: 'gala_request_log_lost_total',
      help: 'Lines of the request log that were not kept: of a flood, or for want of room or of the database.',
    });
  }

  onModuleInit(): void {
    this.requests.onAnswered((answered) => this.record(answered));
    const work = new PeriodicWork(
      (signal) => this.flush(signal),
      INTERVAL_MS,
      () => undefined,
    );
    this.jobs.register(work);
  }

  /** Jobs have stopped and all requests are answered by now. A database in trouble isn't worth waiting for. */
  async onApplicationShutdown(): Promise<void> {
    if (!this.isInTrouble) await this.flush();
  }

  /**
   * Writes the lines that wait now, and then goes on while whole batches wait, unless the signal has aborted. Fewer lines wait
   * for the next time; otherwise a busy service would write a few lines at a time, without an end. Never rejects: lines that
   * can't be written now wait for the next time, too.
   */
  async flush(signal?: AbortSignal): Promise<void> {
    try {
      let due = this.waiting.length;
      while (due > 0 || (this.waiting.length >= BATCH && !signal?.aborted)) {
        const batch = this.waiting.slice(0, BATCH);
        await this.write(batch);
        this.waiting.splice(0, batch.length);
        due -= batch.length;
      }
      this.isInTrouble = false;
    } catch (error) {
      this.warnOnce(describeError(error));
    }
  }

  private record(answered: AnsweredRequest): void {
    const occurredAt = this.clock.now();
    const hasRoom = this.waiting.length < CAPACITY;
    if (hasRoom && this.isWithinShare(answered, occurredAt)) {
      this.waiting.push({ ...answered, id: newId('req'), occurredAt });
      return;
    }
    this.lost.inc();
    if (!hasRoom) this.warnOnce({});
  }

  private isWithinShare({ status, caller }: AnsweredRequest, at: Date): boolean {
    if (status === null || status >= 400) return true;
    const minute = Math.floor(at.getTime() / 60_000);
    if (minute !== this.minute) this.successes.clear();
    this.minute = minute;
    const share = `${caller.workspaceId} ${caller.mode}`;
    const count = this.successes.get(share) ?? 0;
    this.successes.set(share, count + 1);
    return count < SUCCESSES_A_MINUTE;
  }

  private warnOnce(reason: object): void {
    if (this.isInTrouble) return;
    this.isInTrouble = true;
    this.logger.warn(
      { waiting: this.waiting.length, room: CAPACITY, ...reason },
      'the request log can’t be written as fast as it grows; lines without room are lost',
    );
  }

  /**
   * Idempotent: a batch is written again when its answer got lost. Sent as JSON, since the driver's arrays take more than twice
   * the processor time.
   */
  private async write(lines: Line[]): Promise<void> {
    const rows = lines.map(({ caller, ...line }) => ({
      workspace_id: toUuid(caller.workspaceId),
      mode: caller.mode,
      occurred_at: line.occurredAt,
      id: toUuid(line.id),
      request_id: line.requestId,
      method: line.method,
      path: line.path,
      status: line.status,
      duration_ms: line.milliseconds,
      credential_id: caller.credential.id,
      credential_name: caller.credential.name,
    }));
    await this.database.sql(
      `INSERT INTO request_log (${COLUMNS})
       SELECT ${COLUMNS} FROM json_populate_recordset(NULL::request_log, $1) ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }
}
