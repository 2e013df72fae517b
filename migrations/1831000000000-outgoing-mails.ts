import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails that wait to be sent, and those that couldn't be. */
export class OutgoingMails1831000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outgoing_mails (
        id uuid PRIMARY KEY,
        -- The workspace, or a keyed hash of the recipient. One lane can't take the places of the others.
        lane text NOT NULL,
        -- Recipient, subject and text, encrypted as JSON: they contain secret links. Null once the mail has failed.
        sealed_mail bytea,
        -- Random, of the process that is sending the mail.
        claim uuid,
        -- In the future while the mail is being sent or waits for a retry; null once it has failed.
        next_attempt_at timestamptz(3),
        attempts int NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        failed_at timestamptz(3),
        -- A code, such as 550 or expired.
        failure text,
        CHECK ((failed_at IS NULL) = (sealed_mail IS NOT NULL AND next_attempt_at IS NOT NULL))
      )`);
    await runner.query('CREATE INDEX outgoing_mails_lane ON outgoing_mails (lane) WHERE failed_at IS NULL');
    await runner.query('CREATE INDEX outgoing_mails_next_attempt_at ON outgoing_mails (next_attempt_at)');
    await runner.query('CREATE INDEX outgoing_mails_failed_at ON outgoing_mails (failed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outgoing_mails');
  }
}
