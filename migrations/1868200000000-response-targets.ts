import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** The time within which a workspace means to answer its leads, and the events that tell of answers and of late ones. See ADR 60. */
export class ResponseTargets1868200000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS response_targets (
         workspace_id uuid NOT NULL REFERENCES workspaces (id),
         mode text NOT NULL CHECK (mode IN ('live', 'test')),
         minutes integer NOT NULL CHECK (minutes > 0),
         -- Leads that have waited since before then were late before there was a target.
         counts_from timestamptz(3) NOT NULL,
         -- Late leads that have waited since before then were told of, but for those that came in late.
         checked_until timestamptz(3) NOT NULL,
         PRIMARY KEY (workspace_id, mode)
       )`,
      `ALTER TABLE lead_journeys
         ADD COLUMN IF NOT EXISTS overdue_told_at timestamptz(3),
         ADD COLUMN IF NOT EXISTS response_told_at timestamptz(3)`,
      `CREATE TABLE IF NOT EXISTS first_responses_to_tell (
         workspace_id uuid NOT NULL,
         mode text NOT NULL,
         lead_id uuid NOT NULL,
         PRIMARY KEY (workspace_id, mode, lead_id),
         FOREIGN KEY (workspace_id, mode, lead_id) REFERENCES lead_journeys (workspace_id, mode, lead_id) ON DELETE CASCADE
       )`,
      `CREATE OR REPLACE FUNCTION queue_first_response() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           INSERT INTO first_responses_to_tell (workspace_id, mode, lead_id)
           SELECT NEW.workspace_id, NEW.mode, NEW.lead_id FROM response_targets
           WHERE workspace_id = NEW.workspace_id AND mode = NEW.mode
           ON CONFLICT DO NOTHING;
           RETURN NULL;
         END $$`,
      'DROP TRIGGER IF EXISTS lead_journeys_responded ON lead_journeys',
      `CREATE TRIGGER lead_journeys_responded AFTER UPDATE OF responded_at ON lead_journeys FOR EACH ROW
         WHEN (OLD.responded_at IS NULL AND NEW.responded_at IS NOT NULL AND NEW.response_told_at IS NULL
           AND NOT NEW.is_excluded)
         EXECUTE FUNCTION queue_first_response()`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      'DROP TRIGGER lead_journeys_responded ON lead_journeys',
      'DROP FUNCTION queue_first_response()',
      'DROP TABLE first_responses_to_tell',
      'ALTER TABLE lead_journeys DROP COLUMN overdue_told_at, DROP COLUMN response_told_at',
      'DROP TABLE response_targets',
    ]);
  }
}
