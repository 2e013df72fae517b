import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { connectionOptions, poolOf } from './pool';

const PATIENCE_MS = 2000;
/** disk_full, io_error, read_only_sql_transaction */
const REFUSED_WRITES = new Set(['53100', '58030', '25006']);
/** Takes new space in a table and in catalogues, and gives it back. */
const TRIAL_WRITE =
  'CREATE TEMPORARY TABLE gala_trial AS SELECT md5(n::text) FROM generate_series(1, 1000) n; DROP TABLE gala_trial';

/** Commits wait as long as a synchronous standby is away. Those of other roles can't be seen. */
const STATE = `
  SELECT pg_is_in_recovery() AS standby, EXISTS (
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'SyncRep' AND query_start < clock_timestamp() - interval '3 s'
  ) AS "waitsForStandby"`;

type DatabaseState =
  | 'ok'
  | 'database unavailable'
  | 'database read-only'
  | 'database refuses writes'
  | 'writes wait for a standby';

/**
 * Asks the database how it is, on a connection of its own: that all others are busy is no reason to take an instance
 * out of service. Once a write was refused for want of space, one has to succeed before it counts as well again.
 */
@Injectable()
export class DatabaseProbe implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly watched = new WeakSet<ClientBase>();
  private hasRefusedWrite = false;
  private asking?: Promise<DatabaseState>;

  constructor(dataSource: DataSource) {
    const { url } = dataSource.options as { url?: string };
    this.pool = new Pool({
      ...connectionOptions(PATIENCE_MS),
      connectionString: url,
      connectionTimeoutMillis: PATIENCE_MS,
      application_name: 'gala-probe',
      max: 1,
      idleTimeoutMillis: 60_000,
    }).on('error', () => undefined);
    // The OpenAPI document is made without a database.
    if (dataSource.isInitialized) poolOf(dataSource).on('acquire', (client) => this.watch(client));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** Within two seconds. Those who ask at once share the answer. */
  async ask(): Promise<DatabaseState> {
    this.asking ??= this.examine().finally(() => (this.asking = undefined));
    const timeout = new Promise<DatabaseState>((resolve) => {
      setTimeout(resolve, PATIENCE_MS, 'database unavailable').unref();
    });
    return Promise.race([this.asking, timeout]);
  }

  private async examine(): Promise<DatabaseState> {
    try {
      const { rows } = await this.pool.query<{ standby: boolean; waitsForStandby: boolean }>(STATE);
      if (rows[0]?.standby) return 'database read-only';
      if (rows[0]?.waitsForStandby) return 'writes wait for a standby';
    } catch {
      return 'database unavailable';
    }
    if (!this.hasRefusedWrite) return 'ok';
    try {
      await this.pool.query(TRIAL_WRITE);
    } catch {
      return 'database refuses writes';
    }
    this.hasRefusedWrite = false;
    return 'ok';
  }

  /** The driver's protocol layer hears every error, whoever has sent the statement. */
  private watch(client: ClientBase): void {
    if (this.watched.has(client)) return;
    this.watched.add(client);
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code && REFUSED_WRITES.has(code)) this.hasRefusedWrite = true;
    });
  }
}
