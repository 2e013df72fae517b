import { types } from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from './migrations';
import { features } from './src/features';
import type { Feature } from './src/platform/feature';
import { connectionOptions } from './src/platform/persistence/pool';

// A calendar date stays the text it is; the driver would make an instant of it, in the server's time zone.
types.setTypeParser(types.builtins.DATE, (text) => text);

export interface DataSourceOptions {
  url: string;
  poolSize?: number;
  /** 0 waits for ever, as migrations must. */
  statementTimeoutMs?: number;
  /** What other teams bring beside our own. */
  extensions?: Feature[];
}

/** The one way to the database, for the service, its command line and TypeORM's. */
export function createDataSource({
  url,
  poolSize = 10,
  statementTimeoutMs = 10_000,
  extensions = [],
}: DataSourceOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: 'gala',
    entities: [...features, ...extensions].flatMap((feature) => feature.schemas ?? []),
    migrations: [...migrations, ...extensions.flatMap((extension) => extension.migrations ?? [])],
    migrationsTableName: 'migrations',
    // Some build indexes while others write, which no transaction may.
    migrationsTransactionMode: 'each',
    entitySkipConstructor: true,
    poolSize,
    extra: connectionOptions(statementTimeoutMs),
  });
}

export default createDataSource({ url: process.env.DATABASE_URL ?? '' });
