import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A channel's user id that the previous release mistook for a phone number and stored with a plus sign. */
const MISTAKEN = `'^\\+[A-Z]{2}\\.'`;

/**
 * People whom a chat channel identifies by a user id, with or without a phone number: the lead of each id, consent, and messages
 * without a number. A conversation is identified by its number, or else by its user id.
 */
export class MessageUsers1819000000000 implements MigrationInterface {
  /** Doesn't block writes. An index that an interrupted run left behind is rebuilt. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE messages
        ALTER COLUMN phone DROP NOT NULL,
        ADD COLUMN IF NOT EXISTS channel_user_id text,
        DROP CONSTRAINT IF EXISTS messages_other_side,
        ADD CONSTRAINT messages_other_side CHECK (phone IS NOT NULL OR channel_user_id IS NOT NULL) NOT VALID`);
    await runner.query('ALTER TABLE messages VALIDATE CONSTRAINT messages_other_side');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS message_users (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        user_id text NOT NULL,
        -- The number that the channel showed together with the id.
        phone text,
        lead_id uuid,
        opted_out_at timestamptz(3),
        -- Increases with each message, so that the lead's id that wrote last is known without a clock.
        place bigserial,
        PRIMARY KEY (workspace_id, mode, user_id),
        FOREIGN KEY (workspace_id, mode, lead_id) REFERENCES leads (workspace_id, mode, id)
      )`);
    await runner.query(
      `CREATE INDEX IF NOT EXISTS message_users_phone ON message_users (workspace_id, mode, phone) WHERE phone IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX IF NOT EXISTS message_users_lead ON message_users (workspace_id, mode, lead_id) WHERE lead_id IS NOT NULL`,
    );
    await index(
      runner,
      'messages_received_by_user',
      `(workspace_id, mode, channel_user_id, sent_at) WHERE direction = 'inbound' AND channel_user_id IS NOT NULL`,
    );
    await index(
      runner,
      'messages_waiting',
      `(workspace_id, mode, coalesce(phone, channel_user_id), created_at, id) WHERE status = 'queued'`,
    );
    await index(
      runner,
      'messages_with_turn',
      `(workspace_id, mode, coalesce(phone, channel_user_id)) WHERE status = 'queued' AND next_attempt_at IS NOT NULL`,
    );
    await runner.query(
      turnFunction('coalesce(phone, channel_user_id)', 'coalesce(NEW.phone, NEW.channel_user_id)'),
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS messages_unsent');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS messages_turn');
    await runner.query(`
      WITH mistaken AS (DELETE FROM message_opt_outs WHERE phone ~ ${MISTAKEN} RETURNING *)
      INSERT INTO message_users (workspace_id, mode, user_id, opted_out_at)
      SELECT workspace_id, mode, substr(phone, 2), opted_out_at FROM mistaken
      ON CONFLICT (workspace_id, mode, user_id) DO UPDATE SET opted_out_at = excluded.opted_out_at`);
    await runner.query(`
      UPDATE messages SET channel_user_id = substr(phone, 2), phone = NULL
      WHERE direction = 'inbound' AND phone ~ ${MISTAKEN}`);
  }

  /** The previous release stores user ids as phone numbers with a plus sign. It can't send to them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO message_opt_outs (workspace_id, mode, phone, opted_out_at)
      SELECT workspace_id, mode, '+' || user_id, opted_out_at FROM message_users WHERE opted_out_at IS NOT NULL
      ON CONFLICT DO NOTHING`);
    await runner.query('DROP TABLE message_users');
    await runner.query(`
      UPDATE messages SET status = 'failed', failed_at = greatest(now(), created_at), next_attempt_at = NULL,
        error = '{"code": "undeliverable", "message": "The recipient has no phone number."}'
      WHERE status = 'queued' AND phone IS NULL`);
    await runner.query(`UPDATE messages SET phone = '+' || channel_user_id WHERE phone IS NULL`);
    await runner.query(`
      CREATE INDEX messages_unsent ON messages (workspace_id, mode, phone, created_at, id) WHERE status = 'queued'`);
    await runner.query(`
      CREATE INDEX messages_turn ON messages (workspace_id, mode, phone)
        WHERE status = 'queued' AND next_attempt_at IS NOT NULL`);
    await runner.query(turnFunction('phone', 'NEW.phone'));
    for (const name of ['messages_waiting', 'messages_with_turn', 'messages_received_by_user']) {
      await runner.query(`DROP INDEX ${name}`);
    }
    await runner.query(`
      ALTER TABLE messages
        DROP CONSTRAINT messages_other_side,
        DROP COLUMN channel_user_id,
        ALTER COLUMN phone SET NOT NULL`);
  }
}

async function index(runner: QueryRunner, name: string, columns: string): Promise<void> {
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON messages ${columns}`);
}

/** The turns of `message-turns`, per conversation as identified here. */
function turnFunction(conversation: string, ofNew: string): string {
  const same = `workspace_id = NEW.workspace_id AND mode = NEW.mode AND ${conversation} = ${ofNew} AND status = 'queued'`;
  return `
    CREATE OR REPLACE FUNCTION give_message_turn() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(
          hashtextextended(format('message turn %s %s %s', NEW.workspace_id, NEW.mode, ${ofNew}), 0));
        UPDATE messages SET next_attempt_at = created_at
        WHERE (workspace_id, mode, id) = (
            SELECT workspace_id, mode, id FROM messages WHERE ${same} ORDER BY created_at, id LIMIT 1
          ) AND NOT EXISTS (SELECT FROM messages WHERE ${same} AND next_attempt_at IS NOT NULL);
        RETURN NULL;
      END $$`;
}
