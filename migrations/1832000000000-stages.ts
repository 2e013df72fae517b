import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** The stages of workspaces that have changed theirs. All others have the built-in stages, and no rows. */
export class Stages1832000000000 implements MigrationInterface {
  /** Creating a table locks those that it refers to. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS stages (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        key text NOT NULL CHECK (key ~ '^[a-z][a-z0-9_]{0,39}$'),
        name text NOT NULL,
        outcome text NOT NULL CHECK (outcome IN ('open', 'won', 'lost')),
        position integer NOT NULL,
        -- Keys; null for any stage.
        allowed_from text[],
        -- Fields of leads.
        required_fields text[] NOT NULL,
        max_days integer,
        is_hidden boolean NOT NULL,
        -- The facts that lead here, such as visitBooked.
        roles text[] NOT NULL,
        archived_at timestamptz(3),
        -- The stage to which a job moves the leads of this archived one; null when it has moved all.
        move_to text,
        revision integer NOT NULL,
        PRIMARY KEY (workspace_id, mode, key),
        FOREIGN KEY (workspace_id, mode, move_to) REFERENCES stages (workspace_id, mode, key),
        CHECK (move_to IS NULL OR archived_at IS NOT NULL)
      )`,
      'CREATE INDEX IF NOT EXISTS stages_moving ON stages (archived_at) WHERE move_to IS NOT NULL',
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['DROP TABLE IF EXISTS stages']);
  }
}
