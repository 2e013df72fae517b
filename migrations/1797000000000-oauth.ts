import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Apps that customers install by OAuth 2.0. A grant depends on the membership of the person who gave it: deleting the
 * membership deletes the grant, and deleting the grant deletes its tokens.
 */
export class OAuth1797000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_apps (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        redirect_uris text[] NOT NULL,
        scopes text[] NOT NULL,
        -- Null for public clients, which can't keep a secret.
        secret_hash bytea,
        created_at timestamptz(3) NOT NULL,
        deleted_at timestamptz(3)
      )`);
    await runner.query(`
      CREATE TABLE oauth_installations (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        app_id uuid NOT NULL REFERENCES oauth_apps (id),
        scopes text[] NOT NULL,
        installed_by uuid NOT NULL REFERENCES users (id),
        created_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3),
        removed_at timestamptz(3),
        PRIMARY KEY (workspace_id, mode, id)
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX oauth_installations_app ON oauth_installations (workspace_id, mode, app_id)
        WHERE removed_at IS NULL`);
    await runner.query(`CREATE INDEX oauth_installations_of_app ON oauth_installations (app_id)`);
    await runner.query(`
      CREATE TABLE oauth_grants (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        installation_id uuid NOT NULL,
        user_id uuid NOT NULL,
        scopes text[] NOT NULL,
        generation integer NOT NULL DEFAULT 0,
        rotated_at timestamptz(3),
        FOREIGN KEY (workspace_id, mode, installation_id)
          REFERENCES oauth_installations (workspace_id, mode, id) ON DELETE CASCADE,
        FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE INDEX oauth_grants_installation ON oauth_grants (workspace_id, mode, installation_id)`,
    );
    await runner.query(`CREATE INDEX oauth_grants_member ON oauth_grants (workspace_id, user_id)`);
    await runner.query(`
      CREATE TABLE oauth_codes (
        hash bytea PRIMARY KEY,
        grant_id uuid NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
        redirect_uri text NOT NULL,
        code_challenge text,
        expires_at timestamptz(3) NOT NULL,
        used_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id)`);
    await runner.query(`
      CREATE TABLE oauth_refresh_tokens (
        hash bytea PRIMARY KEY,
        grant_id uuid NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
        generation integer NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX oauth_refresh_tokens_grant ON oauth_refresh_tokens (grant_id)`);
    await runner.query(`
      CREATE TABLE oauth_access_tokens (
        hash bytea PRIMARY KEY,
        grant_id uuid NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
        scopes text[] NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX oauth_access_tokens_grant ON oauth_access_tokens (grant_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = ['access_tokens', 'refresh_tokens', 'codes', 'grants', 'installations', 'apps'];
    for (const table of tables) await runner.query(`DROP TABLE oauth_${table}`);
  }
}
