import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { UnitOfWork } from '../../kernel/unit-of-work';

@Injectable()
export class TypeOrmUnitOfWork extends UnitOfWork {
  private readonly running = new AsyncLocalStorage<QueryRunner>();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  /** The transaction that the calling code runs in. */
  get transaction(): QueryRunner | undefined {
    return this.running.getStore();
  }

  /** The manager of that transaction, or one that commits each statement by itself. */
  get manager(): EntityManager {
    return this.transaction?.manager ?? this.dataSource.manager;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const outer = this.transaction;
    if (outer) return this.within(outer, work);
    const runner = this.dataSource.createQueryRunner();
    try {
      return await this.running.run(runner, () => this.within(runner, work));
    } finally {
      await runner.release();
    }
  }

  /** TypeORM makes a transaction of the first, and savepoints of those inside it. */
  private async within<Result>(runner: QueryRunner, work: () => Promise<Result>): Promise<Result> {
    await runner.startTransaction();
    try {
      const result = await work();
      await runner.commitTransaction();
      return result;
    } catch (error) {
      // The connection may be what failed: then the database rolls back by itself, and the first error is the news.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }
}
