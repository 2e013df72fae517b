import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Workspaces and their people, API keys, leads, and the event log.
 *
 * Workspace and mode lead the primary key and every index of tenant data, so that a request's cost doesn't grow with other
 * tenants. The hash of an API key is the exception, because it identifies the workspace.
 */
export class LeadsAndApiKeys1795000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workspaces (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        time_zone text NOT NULL,
        currency text NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE users (
        id uuid PRIMARY KEY,
        email text NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX users_email ON users (lower(email))`);
    await runner.query(`
      CREATE TABLE memberships (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        user_id uuid NOT NULL REFERENCES users (id),
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
        PRIMARY KEY (workspace_id, user_id)
      )`);
    await runner.query(`
      CREATE TABLE api_keys (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL,
        hash bytea NOT NULL,
        last4 text NOT NULL,
        parent_id uuid,
        created_by text,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3),
        grace_ends_at timestamptz(3),
        last_used_at timestamptz(3),
        revoked_at timestamptz(3),
        PRIMARY KEY (workspace_id, mode, id),
        FOREIGN KEY (workspace_id, mode, parent_id) REFERENCES api_keys (workspace_id, mode, id)
      )`);
    await runner.query(`CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash)`);
    await runner.query(`CREATE INDEX api_keys_parent ON api_keys (workspace_id, mode, parent_id)`);
    await runner.query(`
      CREATE TABLE leads (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        name text COLLATE "und-x-icu",
        email text NOT NULL COLLATE "und-x-icu",
        phone text,
        event_date date,
        guests integer,
        source text,
        stage text NOT NULL,
        tags text[] NOT NULL,
        archived_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        search_text text NOT NULL,
        PRIMARY KEY (workspace_id, mode, id)
      )`);
    await runner.query(`CREATE INDEX leads_created_at ON leads (workspace_id, mode, created_at, id)`);
    await runner.query(`CREATE INDEX leads_updated_at ON leads (workspace_id, mode, updated_at, id)`);
    await runner.query(`CREATE INDEX leads_event_date ON leads (workspace_id, mode, event_date, id)`);
    await runner.query(`CREATE INDEX leads_name ON leads (workspace_id, mode, name, id)`);
    await runner.query(`CREATE INDEX leads_stage ON leads (workspace_id, mode, stage, created_at, id)`);
    await runner.query(`CREATE INDEX leads_email ON leads (workspace_id, mode, lower(email))`);
    await runner.query(`
      CREATE TABLE events (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        type text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        -- json, not jsonb: subscribers receive the exact text that was written.
        data json NOT NULL,
        previous json,
        PRIMARY KEY (workspace_id, mode, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['events', 'leads', 'api_keys', 'memberships', 'users', 'workspaces']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
