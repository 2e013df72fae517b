import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** How a workspace appears to its clients, in each mode. */
export class Brands1872100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `CREATE TABLE brands (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        content json NOT NULL,
        PRIMARY KEY (workspace_id, mode)
      )`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['DROP TABLE brands']);
  }
}
