import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { ambient } from '../../kernel/ambient';
import { UnitOfWork } from '../../kernel/unit-of-work';

class Running {
  readonly afterCommit: (() => void | Promise<void>)[] = [];

  constructor(
    readonly unitOfWork: PostgresUnitOfWork,
    readonly runner: QueryRunner,
  ) {}
}

@Injectable()
export class PostgresUnitOfWork extends UnitOfWork {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  /** The transaction that the calling code runs in. */
  get transaction(): QueryRunner | undefined {
    return this.running?.runner;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.begin(work);
  }

  /** For reads that must agree with each other: all see the database as it was at the first of them. */
  snapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.begin(work, 'REPEATABLE READ');
  }

  private async begin<Result>(work: () => Promise<Result>, isolation?: 'REPEATABLE READ'): Promise<Result> {
    const outer = this.running;
    if (outer) return this.within(outer, work);
    const running = new Running(this, this.dataSource.createQueryRunner());
    const store = { ...ambient.getStore(), transaction: running };
    let result: Result;
    try {
      result = await ambient.run(store, () => this.within(running, work, isolation));
    } finally {
      await running.runner.release();
    }
    for (const work of running.afterCommit) await work();
    return result;
  }

  afterCommit(work: () => void | Promise<void>): void {
    const { running } = this;
    if (!running) throw new Error('No unit of work is running.');
    running.afterCommit.push(work);
  }

  /** Several services may run in one process, each with a database of its own. */
  private get running(): Running | undefined {
    const transaction = ambient.getStore()?.transaction;
    return transaction instanceof Running && transaction.unitOfWork === this ? transaction : undefined;
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
