import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Proposals, their numbers and visitors, and the locale of a workspace's clients. */
export class Proposals1799000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces ADD COLUMN locale text NOT NULL DEFAULT 'en-GB'`);
    await runner.query(`
      CREATE TABLE proposal_numbers (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        last integer NOT NULL,
        PRIMARY KEY (workspace_id, mode)
      )`);
    await runner.query(`
      CREATE TABLE proposals (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        lead_id uuid NOT NULL,
        number integer NOT NULL,
        version integer NOT NULL,
        previous_version_id uuid,
        title text NOT NULL,
        status text NOT NULL
          CHECK (status IN ('draft', 'sent', 'viewed', 'accepted', 'declined', 'expired', 'withdrawn')),
        currency text NOT NULL,
        -- json, not jsonb: the fields keep the API's order.
        line_items json NOT NULL,
        subtotal bigint NOT NULL,
        tax_total bigint NOT NULL,
        total bigint NOT NULL CHECK (total = subtotal + tax_total AND total >= 0),
        deposit json,
        notes text,
        valid_until date,
        public_token text,
        sent_at timestamptz(3),
        viewed_at timestamptz(3),
        accepted_at timestamptz(3),
        declined_at timestamptz(3),
        expired_at timestamptz(3),
        withdrawn_at timestamptz(3),
        acceptance json,
        decline_reason text,
        archived_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, id),
        UNIQUE (workspace_id, mode, number, version),
        FOREIGN KEY (workspace_id, mode, lead_id) REFERENCES leads (workspace_id, mode, id),
        FOREIGN KEY (workspace_id, mode, previous_version_id) REFERENCES proposals (workspace_id, mode, id)
      )`);
    // Clients are identified only by the link's token.
    await runner.query(`CREATE UNIQUE INDEX proposals_public_token ON proposals (public_token)`);
    await runner.query(`CREATE INDEX proposals_created_at ON proposals (workspace_id, mode, created_at, id)`);
    await runner.query(`CREATE INDEX proposals_updated_at ON proposals (workspace_id, mode, updated_at, id)`);
    await runner.query(
      `CREATE INDEX proposals_lead ON proposals (workspace_id, mode, lead_id, created_at, id)`,
    );
    await runner.query(
      `CREATE INDEX proposals_status ON proposals (workspace_id, mode, status, created_at, id)`,
    );
    await runner.query(
      `CREATE INDEX proposals_open ON proposals (valid_until) WHERE status IN ('sent', 'viewed') AND archived_at IS NULL`,
    );
    await runner.query(`
      CREATE TABLE proposal_visitors (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        proposal_id uuid NOT NULL,
        visitor bytea NOT NULL,
        first_seen_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, proposal_id, visitor),
        FOREIGN KEY (workspace_id, mode, proposal_id) REFERENCES proposals (workspace_id, mode, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE proposal_visitors, proposals, proposal_numbers');
    await runner.query('ALTER TABLE workspaces DROP COLUMN locale');
  }
}
