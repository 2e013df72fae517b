import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One queued message per conversation has its turn, from `next_attempt_at` on. The others have null there, so that claims
 * don't read them. A trigger passes the turn on in the statement that queues a message or ends the previous one, so that no
 * process in between can lose it.
 */
export class MessageTurns1803000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX messages_due ON messages (workspace_id, next_attempt_at)
        WHERE status = 'queued' AND next_attempt_at IS NOT NULL AND sending_at IS NULL`);
    await runner.query(`
      CREATE INDEX messages_turn ON messages (workspace_id, mode, phone)
        WHERE status = 'queued' AND next_attempt_at IS NOT NULL`);
    // The lock serialises a new message and the end of the previous one, so that each sees what the other committed.
    await runner.query(`
      CREATE FUNCTION give_message_turn() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_xact_lock(
            hashtextextended(format('message turn %s %s %s', NEW.workspace_id, NEW.mode, NEW.phone), 0));
          UPDATE messages SET next_attempt_at = created_at
          WHERE (workspace_id, mode, id) = (
              SELECT workspace_id, mode, id FROM messages
              WHERE workspace_id = NEW.workspace_id AND mode = NEW.mode AND phone = NEW.phone AND status = 'queued'
              ORDER BY created_at, id LIMIT 1
            ) AND NOT EXISTS (
              SELECT FROM messages
              WHERE workspace_id = NEW.workspace_id AND mode = NEW.mode AND phone = NEW.phone AND status = 'queued'
                AND next_attempt_at IS NOT NULL
            );
          RETURN NULL;
        END $$`);
    await runner.query(`
      CREATE TRIGGER message_turn_on_queueing AFTER INSERT ON messages
        FOR EACH ROW WHEN (NEW.status = 'queued') EXECUTE FUNCTION give_message_turn()`);
    await runner.query(`
      CREATE TRIGGER message_turn_of_next AFTER UPDATE OF status ON messages
        FOR EACH ROW WHEN (OLD.status = 'queued' AND NEW.status <> 'queued') EXECUTE FUNCTION give_message_turn()`);
    await runner.query(`
      UPDATE messages m SET next_attempt_at = created_at
      FROM (
        SELECT DISTINCT ON (workspace_id, mode, phone) workspace_id, mode, id
        FROM messages WHERE status = 'queued' ORDER BY workspace_id, mode, phone, created_at, id
      ) first
      WHERE (m.workspace_id, m.mode, m.id) = (first.workspace_id, first.mode, first.id) AND m.next_attempt_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER message_turn_of_next ON messages`);
    await runner.query(`DROP TRIGGER message_turn_on_queueing ON messages`);
    await runner.query(`DROP FUNCTION give_message_turn()`);
    await runner.query(`DROP INDEX messages_turn`);
    await runner.query(`DROP INDEX messages_due`);
  }
}
