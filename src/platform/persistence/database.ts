import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { poolOf } from './pool';
import type { Statement } from './statement';
import { TypeOrmUnitOfWork } from './typeorm-unit-of-work';

/** Beyond these, statements are sent unprepared: filters combine in thousands of ways, and connections keep each one. */
const MAX_PREPARED = 200;

/** Runs SQL straight on the driver, within the running unit of work if there is one; prepared, unless it says otherwise. */
@Injectable()
export class Database {
  /** For all connections alike: a unit of work's may be used here and there. */
  private static readonly names = new Map<string, string>();
  protected pool: Pool;

  constructor(
    dataSource: DataSource,
    private readonly unitOfWork: TypeOrmUnitOfWork,
  ) {
    this.pool = poolOf(dataSource);
  }

  get isInUnitOfWork(): boolean {
    return this.unitOfWork.transaction !== undefined;
  }

  async query<Row>({ text, values, plannedAnew }: Statement): Promise<Row[]> {
    const { transaction } = this.unitOfWork;
    const client = transaction ? ((await transaction.connect()) as ClientBase) : this.pool;
    const name = plannedAnew ? undefined : this.nameOf(text);
    const result = await client.query({ name, text, values: values as unknown[] });
    return result.rows as Row[];
  }

  private nameOf(text: string): string | undefined {
    const { names } = Database;
    let name = names.get(text);
    if (!name && names.size < MAX_PREPARED) {
      name = `gala_${names.size}`;
      names.set(text, name);
    }
    return name;
  }
}
