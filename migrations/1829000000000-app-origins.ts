import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** The origins whose web pages may call the API with an app's tokens (CORS). A constant default rewrites no table. */
export class AppOrigins1829000000000 implements MigrationInterface {
  /** All OAuth requests queue behind a statement that waits for a lock on the apps. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      "ALTER TABLE oauth_apps ADD COLUMN IF NOT EXISTS allowed_origins text[] NOT NULL DEFAULT '{}'",
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_apps DROP COLUMN allowed_origins');
  }
}
