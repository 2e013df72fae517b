import { randomBytes } from 'node:crypto';
import { databaseUrl } from './database';
import { sql } from './sql';

/** A database without a schema, as an operator makes one for a new installation. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `gala_${randomBytes(6).toString('hex')}`;
  const server = process.env.GALA_TEST_POSTGRES!;
  await sql(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  return {
    url: databaseUrl(name),
    async drop() {
      await sql(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
