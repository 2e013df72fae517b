import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Questions on a page are messages of a lead, without a number or a user id at a chat channel. */
export class Questions1872300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Without looking at the rows: those that there are meet the former condition.
    await replace(runner, `(phone IS NOT NULL OR channel_user_id IS NOT NULL OR channel = 'web') NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM messages WHERE channel = 'web'`);
    await replace(runner, '(phone IS NOT NULL OR channel_user_id IS NOT NULL)');
  }
}

async function replace(runner: QueryRunner, condition: string): Promise<void> {
  await inShortLock(runner, [
    `ALTER TABLE messages DROP CONSTRAINT messages_other_side,
       ADD CONSTRAINT messages_other_side CHECK ${condition}`,
  ]);
}
