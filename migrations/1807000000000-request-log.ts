import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests with the credentials of a workspace in the last 30 days. */
export class RequestLog1807000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE request_log (
        -- No foreign keys: lines are written after their requests, and the checks would cost more than the lines.
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        -- Leads the index, so that failures are found among a million successes and limited separately.
        failed boolean NOT NULL GENERATED ALWAYS AS (status IS NULL OR status >= 400) STORED,
        -- The time of the answer.
        occurred_at timestamptz(3) NOT NULL,
        id uuid NOT NULL,
        request_id text NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        -- Null if the client disconnected before the response was sent.
        status smallint,
        duration_ms real NOT NULL,
        credential_id text NOT NULL,
        -- The name at the time of the request.
        credential_name text NOT NULL,
        PRIMARY KEY (workspace_id, mode, failed, occurred_at, id)
      )`);
    await runner.query(`CREATE INDEX request_log_request_id ON request_log (workspace_id, mode, request_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE request_log');
  }
}
