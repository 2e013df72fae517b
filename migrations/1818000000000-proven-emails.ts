import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether an account's email address has been proven. This is unknown for existing accounts; those with a password count as proven,
 * so that they keep their second factor.
 */
export class ProvenEmails1818000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN email_is_proven boolean NOT NULL DEFAULT false');
    await runner.query('UPDATE users SET email_is_proven = true WHERE password_hash IS NOT NULL');
    await runner.query('ALTER TABLE password_resets ADD COLUMN is_mailed boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE password_resets DROP COLUMN is_mailed');
    await runner.query('ALTER TABLE users DROP COLUMN email_is_proven');
  }
}
