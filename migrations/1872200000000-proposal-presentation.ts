import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** What makes an offer more than its prices: message, sections with images, cover, terms, contact, and for whom it is. */
export class ProposalPresentation1872200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `ALTER TABLE proposals
         ADD COLUMN message text,
         ADD COLUMN sections json NOT NULL DEFAULT '[]',
         ADD COLUMN cover_image uuid,
         ADD COLUMN terms text,
         ADD COLUMN contact json,
         ADD COLUMN prepared_for json`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `ALTER TABLE proposals DROP COLUMN message, DROP COLUMN sections, DROP COLUMN cover_image, DROP COLUMN terms,
         DROP COLUMN contact, DROP COLUMN prepared_for`,
    ]);
  }
}
