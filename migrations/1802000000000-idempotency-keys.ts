import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The answers of POST requests with an Idempotency-Key. */
export class IdempotencyKeys1802000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        -- Derived from the path and the key, which are not stored.
        id uuid NOT NULL,
        -- SHA-256 of the request body.
        fingerprint bytea NOT NULL,
        -- Null only within the transaction of the first request.
        answer text,
        -- Replaces the answer if it contains a secret.
        sealed_answer bytea,
        -- The credential that may get the secret.
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
