import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** A key remembers the first one that it replaces by rotation. Keys of earlier rotations count for themselves. */
export class FirstKeys1853000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['ALTER TABLE api_keys ADD COLUMN first_id uuid']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['ALTER TABLE api_keys DROP COLUMN first_id']);
  }
}
