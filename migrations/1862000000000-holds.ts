import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Ranked holds: the queue of a workspace and mode with its policy, holds, and the time that each asks for in a space. */
export class Holds1862000000000 implements MigrationInterface {
  /** Creating a table locks those that it refers to. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const key = 'workspace_id, mode';
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS hold_queues (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        last_position integer NOT NULL,
        default_days integer NOT NULL,
        max_total_days integer NOT NULL,
        challenge_hours integer NOT NULL,
        winner_hours integer NOT NULL,
        remind_hours integer NOT NULL,
        max_rank integer NOT NULL,
        release_on_lost boolean NOT NULL,
        revision integer NOT NULL,
        PRIMARY KEY (${key})
      )`,
      `CREATE TABLE IF NOT EXISTS holds (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        id uuid NOT NULL,
        position integer NOT NULL,
        title text NOT NULL,
        lead_id uuid,
        guests integer,
        notes text,
        group_name text,
        -- In the given order.
        space_ids uuid[] NOT NULL,
        starts_at timestamptz(3) NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        time_zone text NOT NULL,
        start_day date,
        end_day date,
        status text NOT NULL CHECK (status IN ('active', 'confirmed', 'released', 'expired')),
        ended_reason text,
        expires_at timestamptz(3) NOT NULL,
        challenge_deadline timestamptz(3),
        confirm_by timestamptz(3),
        answer_floor timestamptz(3),
        answer_by timestamptz(3),
        reminded_for timestamptz(3),
        -- When a job has something to do: the reminder, or the end.
        next_at timestamptz(3),
        calendar_event_id uuid NOT NULL,
        placed_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        revision integer NOT NULL,
        PRIMARY KEY (${key}, id),
        FOREIGN KEY (${key}) REFERENCES hold_queues (${key}),
        FOREIGN KEY (${key}, lead_id) REFERENCES leads (${key}, id),
        FOREIGN KEY (${key}, calendar_event_id) REFERENCES calendar_events (${key}, id),
        UNIQUE (${key}, position),
        UNIQUE (${key}, calendar_event_id),
        CHECK (starts_at < ends_at),
        CHECK (expires_at <= starts_at),
        CHECK ((start_day IS NULL) = (end_day IS NULL)),
        CHECK ((ended_at IS NULL) = (status = 'active')),
        CHECK ((next_at IS NOT NULL) = (status = 'active'))
      )`,
      `CREATE INDEX IF NOT EXISTS holds_starts_at ON holds (${key}, starts_at, id)`,
      `CREATE INDEX IF NOT EXISTS holds_lead ON holds (${key}, lead_id, starts_at, id) WHERE lead_id IS NOT NULL`,
      `CREATE INDEX IF NOT EXISTS holds_group ON holds (${key}, group_name) WHERE status = 'active' AND group_name IS NOT NULL`,
      `CREATE INDEX IF NOT EXISTS holds_next ON holds (${key}, next_at) WHERE status = 'active'`,
      // Jobs look for what is due in all workspaces.
      `CREATE INDEX IF NOT EXISTS holds_next_anywhere ON holds (next_at) WHERE status = 'active'`,
      // Only of live holds.
      `CREATE TABLE IF NOT EXISTS hold_claims (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        hold_id uuid NOT NULL,
        space_id uuid NOT NULL,
        -- With set-up and clearing.
        period tstzrange NOT NULL CHECK (NOT isempty(period)),
        PRIMARY KEY (${key}, hold_id, space_id),
        FOREIGN KEY (${key}, hold_id) REFERENCES holds (${key}, id),
        FOREIGN KEY (${key}, space_id) REFERENCES spaces (${key}, id)
      )`,
      `CREATE INDEX IF NOT EXISTS hold_claims_period ON hold_claims USING gist (${key}, space_id, period)`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['DROP TABLE IF EXISTS hold_claims, holds, hold_queues']);
  }
}
