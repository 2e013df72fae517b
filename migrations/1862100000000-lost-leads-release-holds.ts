import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Tells the module `holds` of leads that are lost, and of no other change of their stage. */
export class LostLeadsReleaseHolds1862100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `CREATE OR REPLACE TRIGGER subscriber_holds AFTER INSERT ON events FOR EACH ROW
       WHEN (NEW.type = 'lead.stage_changed' AND NEW.data ->> 'outcome' = 'lost')
       EXECUTE FUNCTION queue_for_subscriber('holds')`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['DROP TRIGGER IF EXISTS subscriber_holds ON events']);
    await runner.query(`DELETE FROM subscriber_events WHERE subscriber = 'holds'`);
  }
}
