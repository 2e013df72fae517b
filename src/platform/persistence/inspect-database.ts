import { Client } from 'pg';
import { DatabaseUnreachable } from './migrate';
import type { Statement } from './statement';

/** What an operator would want to know of a database before the service runs on it. */
export interface DatabaseFacts {
  /** As `server_version_num` counts: 180004 is 18.4. */
  readonly version: number;
  readonly encoding: string;
  /** A replica that can't be written to. */
  readonly isReplica: boolean;
  readonly mayCreateTables: boolean;
  readonly hasIcu: boolean;
  /** Extensions that the schema needs and the server doesn’t have. */
  readonly missingExtensions: readonly string[];
  readonly connections: { readonly used: number; readonly most: number };
  /** How far its clock is ahead of ours; negative when behind. */
  readonly clockAheadMs: number;
  /** Names of the migrations that ran; undefined when it holds no schema yet. */
  readonly migrations?: readonly string[];
  /** Webhook deliveries that are due, and for how long the oldest of them. */
  readonly backlog?: { readonly due: number; readonly lagSeconds: number };
}

export type Query = <Row>(statement: Statement) => Promise<Row[]>;

/** Reads alone: nothing is migrated or written. */
export async function withConnection<Result>(
  url: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString: url,
    application_name: 'gala-doctor',
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
  });
  // A connection that breaks shows in the query that it breaks under.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(error as NodeJS.ErrnoException);
  });
  try {
    return await work(async <Row>({ text, values }: Statement) => {
      return (await client.query(text, values as unknown[])).rows as Row[];
    });
  } finally {
    await client.end();
  }
}

export async function inspectDatabase(query: Query): Promise<DatabaseFacts> {
  const askedAt = Date.now();
  const [clock] = await query<{ now: Date }>({ text: 'SELECT clock_timestamp() AS now', values: [] });
  const clockAheadMs = clock!.now.getTime() - (askedAt + Date.now()) / 2;
  const [facts] = await query<Omit<DatabaseFacts, 'connections' | 'clockAheadMs'> & Tables & Connections>({
    text: FACTS,
    values: [],
  });
  const { used, most, hasMigrations, hasDeliveries, ...rest } = facts!;
  return {
    ...rest,
    connections: { used, most },
    clockAheadMs,
    ...(hasMigrations && { migrations: await namesOfMigrations(query) }),
    ...(hasDeliveries && { backlog: await backlog(query) }),
  };
}

interface Tables {
  hasMigrations: boolean;
  hasDeliveries: boolean;
}

interface Connections {
  used: number;
  most: number;
}

const FACTS = `
  SELECT current_setting('server_version_num')::int AS version,
         pg_encoding_to_char(encoding) AS encoding,
         pg_is_in_recovery() AS "isReplica",
         coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreateTables",
         EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS "hasIcu",
         ARRAY(SELECT needed FROM unnest(ARRAY['btree_gin', 'btree_gist', 'pg_trgm']) AS needed
               WHERE needed NOT IN (SELECT name FROM pg_available_extensions)) AS "missingExtensions",
         (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
         current_setting('max_connections')::int AS most,
         to_regclass('migrations') IS NOT NULL AS "hasMigrations",
         to_regclass('webhook_deliveries') IS NOT NULL AS "hasDeliveries"
  FROM pg_database WHERE datname = current_database()`;

async function namesOfMigrations(query: Query): Promise<string[]> {
  const rows = await query<{ name: string }>({ text: 'SELECT name FROM migrations ORDER BY id', values: [] });
  return rows.map(({ name }) => name);
}

async function backlog(query: Query): Promise<DatabaseFacts['backlog']> {
  const [row] = await query<{ due: number; lag: number }>({
    text: `SELECT count(*)::int AS due,
                  coalesce(extract(epoch FROM clock_timestamp() - min(d.next_attempt_at)), 0)::float8 AS lag
           FROM webhook_deliveries d
           JOIN webhook_endpoints e ON (e.workspace_id, e.mode, e.id) = (d.workspace_id, d.mode, d.endpoint_id)
           WHERE d.status = 'pending' AND e.status = 'enabled' AND d.next_attempt_at <= clock_timestamp()`,
    values: [],
  });
  return { due: row!.due, lagSeconds: Math.round(row!.lag) };
}
