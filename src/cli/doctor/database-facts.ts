import { deliveryBacklog } from '../../modules/webhooks';
import { type MailBacklog, mailBacklog } from '../../platform/mail/mail-backlog';
import { readSubscriptions, type Subscription } from '../../platform/outbox/subscription';
import type { Query } from '../../platform/persistence/with-connection';

/** The state of a database that an operator should know before the service runs on it. */
export interface DatabaseFacts {
  /** As `server_version_num` counts: 180004 is 18.4. */
  readonly version: number;
  readonly encoding: string;
  /** A replica can't be written to. */
  readonly isReplica: boolean;
  readonly mayCreateTables: boolean;
  readonly hasIcu: boolean;
  /** Extensions that the schema needs and the server doesn’t have. */
  readonly missingExtensions: readonly string[];
  readonly connections: { readonly used: number; readonly most: number };
  /** Whether commits wait for a standby, and how many of those that count are connected. */
  readonly synchronous: { readonly isWanted: boolean; readonly standbys: number };
  /** How far the database's clock is ahead of this machine's; negative when behind. */
  readonly clockAheadMs: number;
  /** Names of the migrations that ran; undefined when it holds no schema yet. */
  readonly migrations?: readonly string[];
  readonly subscriptions: readonly Subscription[];
  /** Webhook deliveries that are due, and for how long the oldest of them; undefined before their tables exist. */
  readonly backlog?: { readonly due: number; readonly lagSeconds: number };
  /** Undefined before their table exists. */
  readonly mails?: MailBacklog;
}

/** Only reads: nothing is migrated or written. */
export async function readDatabaseFacts(query: Query): Promise<DatabaseFacts> {
  const askedAt = Date.now();
  const [clock] = await query<{ now: Date }>({ text: 'SELECT clock_timestamp() AS now', values: [] });
  const clockAheadMs = clock!.now.getTime() - (askedAt + Date.now()) / 2;
  const [facts] = await query<ServerFacts>({ text: SERVER_FACTS, values: [] });
  const { used, most, hasMigrations, waitsForStandbys, standbys, ...rest } = facts!;
  const backlog = await deliveryBacklog(query);
  const mails = await mailBacklog(query);
  return {
    ...rest,
    connections: { used, most },
    synchronous: { isWanted: waitsForStandbys, standbys },
    clockAheadMs,
    subscriptions: await readSubscriptions(query),
    ...(hasMigrations && { migrations: await namesOfMigrations(query) }),
    ...(backlog && { backlog }),
    ...(mails && { mails }),
  };
}

interface ServerFacts extends Omit<
  DatabaseFacts,
  'connections' | 'synchronous' | 'clockAheadMs' | 'subscriptions' | 'migrations' | 'backlog' | 'mails'
> {
  used: number;
  most: number;
  waitsForStandbys: boolean;
  standbys: number;
  hasMigrations: boolean;
}

const SERVER_FACTS = `
  SELECT current_setting('server_version_num')::int AS version,
         pg_encoding_to_char(encoding) AS encoding,
         pg_is_in_recovery() AS "isReplica",
         coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreateTables",
         EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS "hasIcu",
         ARRAY(SELECT needed FROM unnest(ARRAY['btree_gin', 'btree_gist', 'pg_trgm']) AS needed
               WHERE needed NOT IN (SELECT name FROM pg_available_extensions)) AS "missingExtensions",
         (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
         current_setting('max_connections')::int AS most,
         current_setting('synchronous_standby_names') <> ''
           AND current_setting('synchronous_commit') NOT IN ('off', 'local') AS "waitsForStandbys",
         -- Roles without pg_read_all_stats see the standbys, but not their states.
         (SELECT count(*)::int FROM pg_stat_replication
          WHERE sync_state IS NULL OR sync_state IN ('sync', 'quorum')) AS standbys,
         to_regclass('migrations') IS NOT NULL AS "hasMigrations"
  FROM pg_database WHERE datname = current_database()`;

async function namesOfMigrations(query: Query): Promise<string[]> {
  const rows = await query<{ name: string }>({ text: 'SELECT name FROM migrations ORDER BY id', values: [] });
  return rows.map(({ name }) => name);
}
