import { onConnection } from './sql';

/** Every table with all its rows as text, for comparing and searching. */
export function dumpTables(databaseUrl: string): Promise<Map<string, string>> {
  return onConnection(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    const dump = new Map<string, string>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
      dump.set(name, rows.map(({ row }) => row).join('\n'));
    }
    return dump;
  });
}
