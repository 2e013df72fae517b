import { createSubscription, dropSubscription } from 'gala';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts of points, which bookings counted, and from now on every lead that moves to another stage. */
export class Loyalty1900000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE loyalty_accounts (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        email text NOT NULL,
        points integer NOT NULL CHECK (points >= 0),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, id),
        UNIQUE (workspace_id, mode, email)
      )`);
    await runner.query(`
      CREATE INDEX loyalty_accounts_created_at ON loyalty_accounts (workspace_id, mode, created_at, id)`);
    await runner.query(`
      CREATE INDEX loyalty_accounts_points ON loyalty_accounts (workspace_id, mode, points, id)`);
    await runner.query(`
      CREATE INDEX loyalty_accounts_updated_at ON loyalty_accounts (updated_at) WHERE points > 0`);
    await runner.query(`
      CREATE TABLE loyalty_bookings (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        lead_id uuid NOT NULL,
        points integer NOT NULL,
        earned_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, lead_id),
        FOREIGN KEY (workspace_id, mode, lead_id) REFERENCES leads (workspace_id, mode, id)
      )`);
    await createSubscription(runner, 'loyalty', ['lead.stage_changed']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropSubscription(runner, 'loyalty');
    await runner.query(`DROP TABLE loyalty_bookings`);
    await runner.query(`DROP TABLE loyalty_accounts`);
  }
}
