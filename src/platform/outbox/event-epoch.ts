/**
 * Begins a new epoch of events when the database has moved: after a restart, a restore, a recovery or a promotion. Events
 * are ordered by epoch first, so later events stay later even if transaction ids restart.
 *
 * Events are in the new epoch from the first one on (`present_epoch()`), but the change feed shows them, and gives
 * positions there, only from now on. Several instances may call it at once.
 */
export async function followCluster(sql: <Row>(text: string) => Promise<Row[]>): Promise<void> {
  const [state] = await sql<{ has_moved: boolean }>(`
    SELECT NOT pg_is_in_recovery() AND present_epoch() > max(epoch) AS has_moved FROM event_epochs`);
  if (!state!.has_moved) return;
  await sql(`
    INSERT INTO event_epochs (epoch, cluster) VALUES (present_epoch(), present_cluster()) ON CONFLICT DO NOTHING`);
}
