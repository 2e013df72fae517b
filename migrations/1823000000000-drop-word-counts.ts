import type { QueryRunner, MigrationInterface } from 'typeorm';
import { WordCounts1810000000000 } from './1810000000000-word-counts';

const added = new WordCounts1810000000000();

/** Removes word counts: they made every change of a lead slower, only to speed up frequent words in very large lists. */
export class DropWordCounts1823000000000 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return added.down(runner);
  }

  down(runner: QueryRunner): Promise<void> {
    return added.up(runner);
  }
}
