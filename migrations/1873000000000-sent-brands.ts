import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** The brand as a proposal was sent with it. Null for drafts, and for what was sent before this was kept. */
export class SentBrands1873000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['ALTER TABLE proposals ADD COLUMN sent_brand json']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['ALTER TABLE proposals DROP COLUMN sent_brand']);
  }
}
