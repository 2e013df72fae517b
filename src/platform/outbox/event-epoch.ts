import type { DataSource } from 'typeorm';
import { inShortLock } from '../persistence/short-lock';

/** The cluster and its timeline: transaction ids of another cluster, or after a recovery, may repeat earlier ones. */
const CLUSTER = `
  SELECT (SELECT system_identifier FROM pg_control_system())::text || '/'
    || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS cluster`;

/**
 * Begins a new epoch of events when the database has moved: after a dump was restored, a backup recovered or a standby
 * promoted. Events are ordered by epoch first, so later events stay later even if transaction ids restart.
 *
 * Call it with the lock of migrations. Some managed databases don't tell their cluster; there the epoch never changes.
 */
export async function followCluster(dataSource: DataSource): Promise<void> {
  const cluster = await clusterOf(dataSource);
  if (cluster === undefined) return;
  const [known] = await dataSource.query<{ epoch: number; cluster: string | null }[]>(
    'SELECT epoch, cluster FROM event_epoch',
  );
  if (!known || known.cluster === cluster) return;
  if (known.cluster === null) {
    await dataSource.query('UPDATE event_epoch SET cluster = $1', [cluster]);
    return;
  }
  const epoch = known.epoch + 1;
  const runner = dataSource.createQueryRunner();
  try {
    await inShortLock(runner, [
      `ALTER TABLE events ALTER COLUMN epoch SET DEFAULT ${epoch}`,
      `UPDATE event_epoch SET epoch = ${epoch}, cluster = '${cluster}'`,
    ]);
  } finally {
    await runner.release();
  }
}

async function clusterOf(dataSource: DataSource): Promise<string | undefined> {
  try {
    const [row] = await dataSource.query<{ cluster: string }[]>(CLUSTER);
    return row?.cluster;
  } catch {
    return undefined;
  }
}
