import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foldText } from '../src/kernel/text';

/** The tables with people's email addresses, and the columns within which an address is unique. */
const UNIQUE = { users: 'email_key', invitations: 'workspace_id, email_key' } as const;

/** PostgreSQL's closest equivalent of `foldText`, for rows written by instances of the previous release. */
const NEAREST = `normalize(lower(normalize(NEW.email, NFC) COLLATE "und-x-icu"), NFC)`;

/**
 * Stores the form in which people's email addresses are compared beside them. One function of ours computes it for sign-in,
 * invitations and the limits on sign-in attempts.
 */
export class EmailKeys1817000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION fill_email_key() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.email_key := ${NEAREST}; RETURN NEW; END $$`);
    for (const table of ['users', 'invitations'] as const) {
      await runner.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      await runner.query(`ALTER TABLE ${table} ADD COLUMN email_key text`);
      await fill(runner, table);
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN email_key SET NOT NULL`);
      await runner.query(`CREATE UNIQUE INDEX ${table}_email_key ON ${table} (${UNIQUE[table]})`);
      await runner.query(`
        CREATE TRIGGER ${table}_fill_email_key BEFORE INSERT ON ${table}
          FOR EACH ROW WHEN (NEW.email_key IS NULL) EXECUTE FUNCTION fill_email_key()`);
    }
    await runner.query('DROP INDEX invitations_email');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM invitations AS older USING invitations AS newer
      WHERE older.workspace_id = newer.workspace_id AND lower(older.email) = lower(newer.email) AND older.id < newer.id`);
    await runner.query('CREATE UNIQUE INDEX invitations_email ON invitations (workspace_id, lower(email))');
    for (const table of Object.keys(UNIQUE)) {
      await runner.query(`DROP TRIGGER ${table}_fill_email_key ON ${table}`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN email_key`);
    }
    await runner.query('DROP FUNCTION fill_email_key()');
  }
}

/**
 * If accounts turn out to have the same address, the oldest with a password keeps it; of invitations, the newest. The others get a
 * key that no address has.
 */
async function fill(runner: QueryRunner, table: keyof typeof UNIQUE): Promise<void> {
  const isUsers = table === 'users';
  const order = isUsers ? 'password_hash IS NULL, created_at, id' : 'created_at DESC, id';
  const rows = (await runner.query(
    `SELECT id, email, ${isUsers ? `''` : 'workspace_id'} AS owner FROM ${table} ORDER BY ${order}`,
  )) as { id: string; email: string; owner: string }[];
  const taken = new Set<string>();
  const keys = rows.map(({ id, email, owner }) => {
    const key = foldText(email);
    const place = `${owner} ${key}`;
    const isFirst = !taken.has(place);
    taken.add(place);
    return { id, key: isFirst ? key : `${key} ${id}` };
  });
  await runner.query(
    `UPDATE ${table} SET email_key = given.key
     FROM unnest($1::uuid[], $2::text[]) AS given (id, key) WHERE ${table}.id = given.id`,
    [keys.map(({ id }) => id), keys.map(({ key }) => key)],
  );
}
