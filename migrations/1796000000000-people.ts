import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People who sign in: passwords, second factor, sessions, invitations; and the audit log. */
export class People1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD COLUMN password_hash text,
        ADD COLUMN totp_secret bytea,
        ADD COLUMN totp_enabled_at timestamptz(3),
        ADD COLUMN totp_last_step bigint`);
    await runner.query(`
      CREATE TABLE recovery_codes (
        user_id uuid NOT NULL REFERENCES users (id),
        hash bytea NOT NULL,
        PRIMARY KEY (user_id, hash)
      )`);
    await runner.query(`
      CREATE TABLE sessions (
        hash bytea PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users (id),
        awaits_second_factor boolean NOT NULL,
        address text NOT NULL,
        user_agent text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        last_seen_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX sessions_user ON sessions (user_id)`);
    await runner.query(`CREATE INDEX sessions_expiry ON sessions (expires_at)`);
    await runner.query(`
      CREATE TABLE password_resets (
        hash bytea PRIMARY KEY,
        user_id uuid NOT NULL UNIQUE REFERENCES users (id),
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE invitations (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        id uuid NOT NULL,
        email text NOT NULL,
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
        hash bytea NOT NULL,
        invited_by uuid NOT NULL REFERENCES users (id),
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, id)
      )`);
    await runner.query(`CREATE UNIQUE INDEX invitations_hash ON invitations (hash)`);
    await runner.query(`CREATE UNIQUE INDEX invitations_email ON invitations (workspace_id, lower(email))`);
    await runner.query(`CREATE INDEX memberships_user ON memberships (user_id)`);
    await runner.query(`
      CREATE TABLE audit_log (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        id uuid NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        action text NOT NULL,
        mode text CHECK (mode IN ('live', 'test')),
        actor_type text NOT NULL CHECK (actor_type IN ('user', 'api_key', 'oauth', 'operator')),
        actor_id text,
        actor_name text NOT NULL,
        actor_address text,
        target_id text,
        target_name text NOT NULL,
        details jsonb NOT NULL,
        PRIMARY KEY (workspace_id, id)
      )`);
    await runner.query(`CREATE INDEX audit_log_occurred_at ON audit_log (workspace_id, occurred_at, id)`);
    // The service can append to the audit log, but not change or delete its records.
    await runner.query(`
      CREATE FUNCTION refuse_change_of_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$`);
    await runner.query(`
      CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_log()`);
    // The fingerprint of the key that encrypts secrets in this database: at most one row.
    await runner.query(`
      CREATE TABLE encryption_key (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        fingerprint bytea NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX memberships_user`);
    const tables = [
      'encryption_key',
      'audit_log',
      'invitations',
      'password_resets',
      'sessions',
      'recovery_codes',
    ];
    for (const table of tables) await runner.query(`DROP TABLE ${table}`);
    await runner.query(`DROP FUNCTION refuse_change_of_audit_log()`);
    await runner.query(`
      ALTER TABLE users
        DROP COLUMN password_hash,
        DROP COLUMN totp_secret,
        DROP COLUMN totp_enabled_at,
        DROP COLUMN totp_last_step`);
  }
}
