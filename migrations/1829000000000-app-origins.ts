import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The origins whose web pages may call the API with an app's tokens (CORS). A constant default rewrites no table. */
export class AppOrigins1829000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE oauth_apps ADD COLUMN allowed_origins text[] NOT NULL DEFAULT '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_apps DROP COLUMN allowed_origins');
  }
}
