import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { type FieldProblem, RateLimited, ValidationFailed } from '../../kernel/errors';
import { Turns } from '../../kernel/turns';
import { connectionOptions } from './pool';
import type { Statement } from './statement';
import type { Query } from './with-connection';

/** Reports of one process that run at the same time. */
const CONNECTIONS = 2;
const STATEMENT_TIMEOUT_MS = 10_000;
const PATIENCE_MS = 5000;
const RETRY_AFTER_SECONDS = 5;
const POLL_MS = 100;
const TOO_LONG: FieldProblem = {
  field: 'to',
  message: 'makes a report that takes too long; ask for fewer days',
};
const QUERY_CANCELED = '57014';
/**
 * Reports sort very many rows, which the usual memory would spill to disk. Compiling them takes longer than it saves. The default
 * cost of a random page is that of a spinning disk: the search for few rows would be planned as a read of the whole table.
 */
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off;
  SET LOCAL random_page_cost = 1.1`;

/**
 * Runs reports: reads of very many rows, on connections of their own, so that no request waits for one. Of one owner, one
 * report runs at a time on all instances: its lock ends with its transaction, and so with its connection.
 */
@Injectable()
export class ReportDatabase implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly turns = new Turns({
    atOnce: CONNECTIONS,
    atOnceEach: 1,
    waitingEach: 3,
    waiting: 300,
    patienceMs: PATIENCE_MS,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

  constructor(dataSource: DataSource) {
    const { url } = dataSource.options as { url?: string };
    this.pool = new Pool({
      ...connectionOptions(STATEMENT_TIMEOUT_MS),
      connectionString: url,
      application_name: 'gala-reports',
      max: CONNECTIONS,
    }).on('error', () => undefined);
  }

  /**
   * Runs a report whose statements all see the database as it was at the first of them.
   *
   * @throws RateLimited if others keep it waiting for 5 seconds, or if three of the same owner wait already
   * @throws ValidationFailed with `tooLong` if a statement takes more than 10 seconds
   */
  async run<Result>(
    owner: string,
    report: (query: Query) => Promise<Result>,
    tooLong: FieldProblem = TOO_LONG,
  ): Promise<Result> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    return this.turns.run(owner, async () => {
      const client = await this.pool.connect();
      try {
        await this.lock(client, owner, giveUpAt);
        const result = await report(async <Row>({ text, values }: Statement) => {
          return (await client.query(text, values as unknown[])).rows as Row[];
        });
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        const isBroken = await client.query('ROLLBACK').then(
          () => false,
          () => true,
        );
        client.release(isBroken);
        throw (error as { code?: string }).code === QUERY_CANCELED ? new ValidationFailed(tooLong) : error;
      }
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** Against reports of the same owner on other instances. A transaction that waited has an old snapshot, so each try begins anew. */
  private async lock(client: ClientBase, owner: string, giveUpAt: number): Promise<void> {
    for (;;) {
      await client.query(BEGIN);
      const { rows } = await client.query<{ locked: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('report ' || $1, 0)) AS locked`,
        [owner],
      );
      if (rows[0]!.locked) return;
      await client.query('ROLLBACK');
      await this.rest(giveUpAt);
    }
  }

  private async rest(giveUpAt: number): Promise<void> {
    if (performance.now() + POLL_MS > giveUpAt) throw tooMany();
    await sleep(POLL_MS);
  }
}

function tooMany(): RateLimited {
  const message = `Another report is running. Try again in ${RETRY_AFTER_SECONDS} s.`;
  return new RateLimited(RETRY_AFTER_SECONDS, message);
}
