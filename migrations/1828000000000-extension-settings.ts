import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings of extensions for each workspace and mode. */
export class ExtensionSettings1828000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE extension_settings (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        extension text NOT NULL,
        -- A JSON object without the secrets.
        value jsonb NOT NULL,
        -- The secrets, encrypted as one JSON object.
        sealed_secrets bytea,
        UNIQUE (workspace_id, mode, extension)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE extension_settings');
  }
}
