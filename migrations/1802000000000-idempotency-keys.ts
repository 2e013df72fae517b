import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What POST requests with an Idempotency-Key were answered. */
export class IdempotencyKeys1802000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        -- Follows from the path and the key, which are not kept.
        id uuid NOT NULL,
        -- Of what was asked: SHA-256.
        fingerprint bytea NOT NULL,
        -- Empty only while the first request is at work, in its transaction.
        answer text,
        -- Instead of the answer, when it holds a secret.
        sealed_answer bytea,
        -- Whose secret it is.
        credential_id text,
        location text,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, id)
      )`);
    await runner.query(`CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at)`);
    await runner.query(`
      CREATE INDEX idempotency_keys_sealed ON idempotency_keys (id) WHERE sealed_answer IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
