import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Spaces, calendar events, and the secret links of calendar feeds.
 *
 * `calendar_occupancies` holds one row per event and space that it occupies, including set-up and clearing. An exclusion
 * constraint ensures that two rows never overlap, regardless of the writer.
 */
export class Calendar1800000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Provides equality in a GiST index. It is trusted, so the owner of the database may install it.
    await runner.query('CREATE EXTENSION IF NOT EXISTS btree_gist');
    await runner.query(`
      CREATE TABLE spaces (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        name text NOT NULL COLLATE "und-x-icu",
        capacity integer,
        setup_minutes integer NOT NULL,
        clearing_minutes integer NOT NULL,
        archived_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, id)
      )`);
    await runner.query(`CREATE INDEX spaces_name ON spaces (workspace_id, mode, name, id)`);
    await runner.query(`
      CREATE TABLE calendar_events (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        type text NOT NULL CHECK (type IN ('visit', 'event', 'hold', 'block')),
        title text NOT NULL,
        description text,
        starts_at timestamptz(3) NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        time_zone text NOT NULL,
        -- For all-day events: the first day, and the day after the last. The instants follow from them.
        start_day date,
        end_day date,
        location text,
        -- In the given order. Spaces are archived and never deleted.
        space_ids uuid[] NOT NULL,
        lead_id uuid,
        guests integer,
        status text NOT NULL CHECK (status IN ('confirmed', 'cancelled')),
        sequence integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, id),
        FOREIGN KEY (workspace_id, mode, lead_id) REFERENCES leads (workspace_id, mode, id),
        CHECK (starts_at < ends_at),
        CHECK ((start_day IS NULL) = (end_day IS NULL))
      )`);
    await runner.query(`
      CREATE INDEX calendar_events_starts_at ON calendar_events (workspace_id, mode, starts_at, id)`);
    await runner.query(`
      CREATE INDEX calendar_events_lead ON calendar_events (workspace_id, mode, lead_id) WHERE lead_id IS NOT NULL`);
    await runner.query(`
      CREATE TABLE calendar_occupancies (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        space_id uuid NOT NULL,
        event_id uuid NOT NULL,
        period tstzrange NOT NULL CHECK (NOT isempty(period)),
        PRIMARY KEY (workspace_id, mode, event_id, space_id),
        FOREIGN KEY (workspace_id, mode, space_id) REFERENCES spaces (workspace_id, mode, id),
        FOREIGN KEY (workspace_id, mode, event_id) REFERENCES calendar_events (workspace_id, mode, id),
        CONSTRAINT calendar_occupancies_do_not_overlap
          EXCLUDE USING gist (workspace_id WITH =, mode WITH =, space_id WITH =, period WITH &&)
      )`);
    await runner.query(`
      CREATE TABLE calendar_feeds (
        workspace_id uuid NOT NULL,
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        user_id uuid NOT NULL,
        hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, user_id),
        -- Leaving the workspace deletes the person's link.
        FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE UNIQUE INDEX calendar_feeds_hash ON calendar_feeds (hash)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['calendar_feeds', 'calendar_occupancies', 'calendar_events', 'spaces']) {
      await runner.query(`DROP TABLE ${table}`);
    }
    // An extension that something else uses must not be dropped.
    await runner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM pg_extension WHERE extname = 'btree_gist' AND extowner = current_user::regrole) THEN
          DROP EXTENSION btree_gist;
        END IF;
      END $$`);
  }
}
