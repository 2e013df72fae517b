import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import type { Configuration } from '../platform/config/configuration';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres';
import type { Feature } from '../platform/feature';
import { migrate } from '../platform/persistence/migrate';

export interface OpenDatabase {
  readonly dataSource: DataSource;
  readonly url: string;
  readonly isEmbedded: boolean;
  /** Names of the migrations that ran. */
  readonly migrated: string[];
  close(): Promise<void>;
}

interface OpenOptions {
  /** A service has the embedded database to itself. A command shares it with a running service. */
  role: 'service' | 'command';
  extensions?: Feature[];
  onProgress?: (line: string) => void;
}

/**
 * Opens the configured or the embedded database and runs pending migrations: first Gala's, then those of extensions, which
 * may build on all of Gala's whatever their timestamps.
 */
export async function openDatabase(
  { databaseUrl, dataDirectory }: Configuration,
  { role, extensions, onProgress }: OpenOptions,
): Promise<OpenDatabase> {
  const embedded = databaseUrl ? undefined : await openEmbeddedPostgres({ dataDirectory, role, onProgress });
  const url = databaseUrl ?? embedded!.url;
  try {
    const migrating = { url, poolSize: 1, statementTimeoutMs: 0 };
    const own = () => createDataSource(migrating);
    const all = () => createDataSource({ ...migrating, extensions });
    const migrated = await migrate(url, extensions?.length ? [own, all] : [own], onProgress);
    const dataSource = await createDataSource({ url, extensions }).initialize();
    return {
      dataSource,
      url,
      isEmbedded: embedded !== undefined,
      migrated,
      async close() {
        await dataSource.destroy();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}
