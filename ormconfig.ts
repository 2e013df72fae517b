import { types } from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from './migrations';
import { features } from './src/features';
import type { Feature } from './src/platform/feature';
import { refuseSameNames } from './src/platform/persistence/migration-names';
import { connectionOptions } from './src/platform/persistence/pool';

// Calendar dates stay text. The driver would turn them into instants in the server's time zone.
types.setTypeParser(types.builtins.DATE, (text) => text);

export interface DataSourceOptions {
  url: string;
  poolSize?: number;
  /** 0 disables the timeout, for migrations. */
  statementTimeoutMs?: number;
  /** The schemas and migrations of extensions. */
  extensions?: Feature[];
}

/**
 * The data source of the service, its command line, and TypeORM's. TypeORM orders all migrations of a data source by their
 * timestamps; `openDatabase` runs those of extensions after Gala's.
 * @throws CompositionError if two migrations have the same name
 */
export function createDataSource({
  url,
  poolSize = 10,
  statementTimeoutMs = 10_000,
  extensions = [],
}: DataSourceOptions): DataSource {
  const added = extensions.map(({ module, migrations: list = [] }) => ({
    owner: module.name,
    migrations: list,
  }));
  refuseSameNames([{ owner: 'Gala', migrations }, ...added]);
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: 'gala',
    entities: [...features, ...extensions].flatMap((feature) => feature.schemas ?? []),
    migrations: [...migrations, ...added.flatMap((extension) => extension.migrations)],
    migrationsTableName: 'migrations',
    // Some migrations build indexes concurrently, which isn't possible in a transaction.
    migrationsTransactionMode: 'each',
    entitySkipConstructor: true,
    poolSize,
    extra: connectionOptions(statementTimeoutMs),
  });
}

export default createDataSource({ url: process.env.DATABASE_URL ?? '' });
