import type { DataSource } from 'typeorm';
import { followCluster } from '../outbox/event-epoch';
import { MigrationLock } from './migration-lock';
import { refuseTransactionPooling } from './transaction-pooling';

/**
 * Brings the schema up to date: runs the pending migrations of each data source in turn, and resolves to the names of those
 * that ran. Several instances may start at once: the lock lets one after the other in, and the later ones find nothing to do.
 *
 * @param onProgress takes a sentence about who holds the lock, if it takes long
 * @throws UnsuitablePooler if the connections go through a pooler that shares sessions
 */
export async function migrate(
  url: string,
  createDataSources: readonly (() => DataSource)[],
  onProgress: (line: string) => void = () => undefined,
): Promise<string[]> {
  const dataSources = createDataSources.map((create) => create());
  await refuseTransactionPooling(url);
  const lock = await MigrationLock.take(url, onProgress);
  try {
    const names: string[] = [];
    for (const dataSource of dataSources) {
      names.push(...(await runPending(dataSource)));
      await lock.expectHeld();
    }
    return names;
  } finally {
    await lock.release();
  }
}

async function runPending(dataSource: DataSource): Promise<string[]> {
  try {
    await dataSource.initialize();
    const done = await dataSource.runMigrations();
    await followCluster((text) => dataSource.query(text));
    return done.map(({ name }) => name);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}
