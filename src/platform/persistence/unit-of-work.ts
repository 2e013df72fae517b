import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { UnitOfWork } from '../../kernel/unit-of-work';

interface Running {
  readonly runner: QueryRunner;
  readonly afterCommit: (() => void | Promise<void>)[];
}

@Injectable()
export class PostgresUnitOfWork extends UnitOfWork {
  private readonly running = new AsyncLocalStorage<Running>();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  /** The transaction that the calling code runs in. */
  get transaction(): QueryRunner | undefined {
    return this.running.getStore()?.runner;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.begin(work);
  }

  /** For reads that must agree with each other: all see the database as it was at the first of them. */
  snapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.begin(work, 'REPEATABLE READ');
  }

  private async begin<Result>(work: () => Promise<Result>, isolation?: 'REPEATABLE READ'): Promise<Result> {
    const outer = this.running.getStore();
    if (outer) return this.within(outer, work);
    const runner = this.dataSource.createQueryRunner();
    const running: Running = { runner, afterCommit: [] };
    let result: Result;
    try {
      result = await this.running.run(running, () => this.within(running, work, isolation));
    } finally {
      await runner.release();
    }
    for (const work of running.afterCommit) await work();
    return result;
  }

  afterCommit(work: () => void | Promise<void>): void {
    const running = this.running.getStore();
    if (!running) throw new Error('No unit of work is running.');
    running.afterCommit.push(work);
  }

  /** TypeORM starts a transaction for the outermost call and a savepoint for each call inside it. */
  private async within<Result>(
    { runner, afterCommit }: Running,
    work: () => Promise<Result>,
    isolation?: 'REPEATABLE READ',
  ): Promise<Result> {
    const before = afterCommit.length;
    await runner.startTransaction(isolation);
    try {
      const result = await work();
      await runner.commitTransaction();
      return result;
    } catch (error) {
      afterCommit.length = before;
      // If the connection itself failed, the database rolls back on its own; the first error is the one to report.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }
}
