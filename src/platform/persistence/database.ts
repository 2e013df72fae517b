import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { DataSource, type EntitySchema, type ObjectLiteral } from 'typeorm';
import { EntityStatements } from './entity-statements';
import { poolOf } from './pool';
import type { Statement } from './statement';
import { PostgresUnitOfWork } from './unit-of-work';

/** Statements beyond these are sent unprepared: filters combine in thousands of ways, and connections keep each prepared one. */
const MAX_PREPARED = 400;

/** Runs SQL on the driver, inside the current unit of work if there is one. Statements are prepared by default. */
@Injectable()
export class Database {
  /** Shared by all instances, since they may run on the same connection: that of a unit of work. */
  private static readonly names = new Map<string, string>();
  protected pool: Pool;

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: PostgresUnitOfWork,
  ) {
    this.pool = poolOf(dataSource);
  }

  /** False where only metadata is read, as for the API reference. */
  get isConnected(): boolean {
    return this.dataSource.isInitialized;
  }

  get isInUnitOfWork(): boolean {
    return this.unitOfWork.transaction !== undefined;
  }

  /** Runs a statement with the values of `$1`, `$2` and so on, and resolves to its rows. */
  sql<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.query({ text, values });
  }

  async query<Row>({ text, values, plannedAnew }: Statement): Promise<Row[]> {
    const { transaction } = this.unitOfWork;
    const client = transaction ? ((await transaction.connect()) as ClientBase) : this.pool;
    const name = plannedAnew ? undefined : this.nameOf(text);
    const result = await client.query({ name, text, values: values as unknown[] });
    return result.rows as Row[];
  }

  /** The statements of a mapped entity. Its schema must be listed in a `Feature`. */
  statements<Entity extends ObjectLiteral>(schema: EntitySchema<Entity>): EntityStatements<Entity> {
    return new EntityStatements(this.dataSource, schema);
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
