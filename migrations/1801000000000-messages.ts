import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages over a chat channel, the workspace's connection to it, and consent.
 *
 * The table of messages is also the queue, so an accepted message survives any crash.
 */
export class Messages1801000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX leads_phone ON leads (workspace_id, mode, phone) WHERE phone IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE messages (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        lead_id uuid,
        direction text NOT NULL CHECK (direction IN ('outbound', 'inbound')),
        channel text NOT NULL,
        phone text NOT NULL,
        type text NOT NULL,
        text text,
        template json,
        media json,
        status text NOT NULL CHECK (status IN ('queued', 'sent', 'delivered', 'read', 'failed', 'received')),
        error json,
        provider_id text,
        provider_contact text,
        created_at timestamptz(3) NOT NULL,
        sent_at timestamptz(3),
        delivered_at timestamptz(3),
        read_at timestamptz(3),
        failed_at timestamptz(3),
        attempts integer NOT NULL DEFAULT 0,
        -- While queued: when its turn comes. While leased: when another instance may take it over.
        -- Afterwards: when the simulator continues. Null means at once.
        next_attempt_at timestamptz(3),
        -- The claim that holds the lease. A claim that lost its lease must not send.
        claim uuid,
        -- Committed before the request is sent. Without a later outcome, it is unknown whether the message was sent.
        sending_at timestamptz(3),
        PRIMARY KEY (workspace_id, mode, id),
        FOREIGN KEY (workspace_id, mode, lead_id) REFERENCES leads (workspace_id, mode, id)
      )`);
    await runner.query(`CREATE INDEX messages_created_at ON messages (workspace_id, mode, created_at, id)`);
    await runner.query(
      `CREATE INDEX messages_lead ON messages (workspace_id, mode, lead_id, created_at, id)`,
    );
    await runner.query(`
      CREATE INDEX messages_unsent ON messages (workspace_id, mode, phone, created_at, id) WHERE status = 'queued'`);
    await runner.query(`
      CREATE INDEX messages_under_way ON messages (sending_at) WHERE status = 'queued' AND sending_at IS NOT NULL`);
    await runner.query(`
      CREATE INDEX messages_simulated ON messages (workspace_id, mode, created_at, id)
        WHERE channel = 'simulator' AND status IN ('sent', 'delivered') AND next_attempt_at IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX messages_provider ON messages (workspace_id, mode, direction, provider_id)
        WHERE provider_id IS NOT NULL`);
    await runner.query(`
      CREATE INDEX messages_received ON messages (workspace_id, mode, phone, sent_at) WHERE direction = 'inbound'`);
    await runner.query(`
      CREATE INDEX messages_contact ON messages (workspace_id, mode, provider_contact) WHERE provider_contact IS NOT NULL`);
    await runner.query(`
      CREATE FUNCTION announce_message() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_notify('messages', '');
          RETURN NULL;
        END $$`);
    await runner.query(`
      CREATE TRIGGER message_queued AFTER INSERT ON messages
        FOR EACH ROW WHEN (NEW.status = 'queued') EXECUTE FUNCTION announce_message()`);
    await runner.query(`
      CREATE TABLE message_channels (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL UNIQUE,
        phone_number_id text NOT NULL,
        business_account_id text NOT NULL,
        display_phone text NOT NULL,
        verified_name text,
        access_token bytea NOT NULL,
        app_secret bytea NOT NULL,
        verify_token bytea NOT NULL,
        connected_at timestamptz(3) NOT NULL,
        verified_at timestamptz(3),
        last_callback_at timestamptz(3),
        PRIMARY KEY (workspace_id, mode)
      )`);
    await runner.query(`
      CREATE TABLE message_templates (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        name text NOT NULL,
        language text NOT NULL,
        status text NOT NULL,
        body text NOT NULL,
        header_variables text[] NOT NULL,
        body_variables text[] NOT NULL,
        obstacle text,
        PRIMARY KEY (workspace_id, mode, name, language)
      )`);
    await runner.query(`
      CREATE TABLE message_settings (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        languages text[] NOT NULL,
        creates_leads boolean NOT NULL,
        PRIMARY KEY (workspace_id, mode)
      )`);
    await runner.query(`
      CREATE TABLE message_opt_outs (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        phone text NOT NULL,
        opted_out_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, phone)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['opt_outs', 'settings', 'templates', 'channels']) {
      await runner.query(`DROP TABLE message_${table}`);
    }
    await runner.query(`DROP TABLE messages`);
    await runner.query(`DROP FUNCTION announce_message()`);
    await runner.query(`DROP INDEX leads_phone`);
  }
}
