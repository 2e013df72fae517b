import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';
import { backfillStays } from './lead-journeys/backfill-stays';
import { COPIED, copiedFrom, recordLeadInsert } from './lead-journeys/record-insert';

/** The changes that figures depend on. All others cost a comparison. */
const WATCHED = ['stage', 'outcome', 'source', 'owner_id', 'lost_reason_id', 'archived_at'];
const watched = (row: string) => `(${WATCHED.map((column) => `${row}.${column}`).join(', ')})`;

/** Locks the journeys of changed leads in the order in which all lock them, so that no two wait for each other. */
const locked = (leads: string, mode: string) => `
       PERFORM FROM lead_journeys j JOIN ${leads} ON (j.workspace_id, j.mode, j.lead_id) = (${leads}.workspace_id, ${leads}.mode, ${leads}.id)
       ORDER BY j.workspace_id, j.mode, j.lead_id ${mode} OF j;`;

/**
 * The way of each lead through the stages, for figures: a row for each lead, and one for each stay in a stage that has ended.
 * Triggers write them, so that changes by earlier releases and by SQL are in them too. See ADR 60.
 */
export class LeadJourneys1868000000000 implements MigrationInterface {
  /** Backfills in short transactions. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [...TABLES, ...FUNCTIONS, ...TRIGGERS, BEGINNING]);
    await backfillStays(runner);
    await runner.query('ANALYZE lead_journeys, lead_stage_spells');
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      ...['insert', 'update', 'delete'].map((change) => `DROP TRIGGER lead_journeys_on_${change} ON leads`),
      ...['insert', 'update', 'delete'].map((change) => `DROP FUNCTION record_lead_${change}()`),
      'DROP FUNCTION begins_journey(uuid, text, text)',
      'DROP FUNCTION lead_outcome(text, text)',
      'DROP TABLE lead_stage_spells, lead_journeys, lead_journeys_beginning',
    ]);
  }
}

const TABLES = [
  `CREATE TABLE IF NOT EXISTS lead_journeys (
     workspace_id uuid NOT NULL,
     mode text NOT NULL,
     lead_id uuid NOT NULL,
     -- These follow the lead.
     created_at timestamptz(3) NOT NULL,
     source text,
     owner_id uuid,
     lost_reason_id uuid,
     is_archived boolean NOT NULL,
     stage text NOT NULL,
     outcome text NOT NULL,
     -- The number of the present stay in a stage, one more than that of the last ended one. Backfilled stays are below 0.
     stay integer NOT NULL DEFAULT 0,
     -- When the present stay began; null when it isn't known.
     entered_at timestamptz(3),
     -- The stages that the lead is known to have been in, each once.
     visited text[] NOT NULL,
     -- When the lead became won or lost. Null while it isn't, and when it isn't known.
     won_at timestamptz(3),
     lost_at timestamptz(3),
     -- Not an enquiry that waits for a first response: it was imported, or created in a later stage.
     is_excluded boolean NOT NULL,
     PRIMARY KEY (workspace_id, mode, lead_id)
   ) WITH (fillfactor = 85)`,
  'CREATE INDEX IF NOT EXISTS lead_journeys_created ON lead_journeys (workspace_id, mode, created_at)',
  `CREATE INDEX IF NOT EXISTS lead_journeys_closed ON lead_journeys (workspace_id, mode, coalesce(won_at, lost_at))
     WHERE coalesce(won_at, lost_at) IS NOT NULL`,
  // Those of the index don't count, since it is partial. Without any, reports of a year are planned as if few leads had closed.
  `CREATE STATISTICS IF NOT EXISTS lead_journeys_closed_at ON (coalesce(won_at, lost_at)) FROM lead_journeys`,
  `CREATE TABLE IF NOT EXISTS lead_stage_spells (
     workspace_id uuid NOT NULL,
     mode text NOT NULL,
     lead_id uuid NOT NULL,
     number integer NOT NULL,
     stage text NOT NULL,
     -- Null when it isn't known.
     entered_at timestamptz(3),
     left_at timestamptz(3) NOT NULL,
     to_stage text NOT NULL,
     lead_created_at timestamptz(3) NOT NULL,
     -- Whether the lead hasn't come back to this stage since.
     is_last boolean NOT NULL,
     PRIMARY KEY (workspace_id, mode, lead_id, number)
   )`,
  'CREATE INDEX IF NOT EXISTS lead_stage_spells_entered ON lead_stage_spells (workspace_id, mode, entered_at)',
  `CREATE TABLE IF NOT EXISTS lead_journeys_beginning (
     is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
     -- Triggers have recorded changes whose events have later numbers than this.
     after_event bigint NOT NULL,
     -- From then on, all stays are recorded.
     complete_since timestamptz(3) NOT NULL
   )`,
];

/** In the transaction that creates the triggers, which has waited for all writers of leads. */
const BEGINNING = `INSERT INTO lead_journeys_beginning (after_event, complete_since)
  SELECT last_value, clock_timestamp() FROM event_numbers ON CONFLICT DO NOTHING`;

const FUNCTIONS = [
  `CREATE OR REPLACE FUNCTION lead_outcome(stage text, stored text) RETURNS text
     LANGUAGE sql IMMUTABLE PARALLEL SAFE
     RETURN CASE WHEN stage IN ('confirmed', 'completed') THEN 'won' WHEN stage = 'lost' THEN 'lost'
       WHEN stage IN ('new_enquiry', 'contacted', 'visit_booked', 'proposal_sent', 'negotiation') THEN 'open'
       ELSE coalesce(stored, 'open') END`,
  // The first open stage that is shown, or a hidden one before it. Workspaces that changed nothing have no stages.
  `CREATE OR REPLACE FUNCTION begins_journey(of_workspace uuid, of_mode text, of_stage text) RETURNS boolean
     LANGUAGE plpgsql STABLE AS $$
     DECLARE
       place integer;
       first integer;
     BEGIN
       SELECT max(position) FILTER (WHERE key = of_stage), min(position) FILTER (WHERE NOT is_hidden)
       INTO place, first FROM stages
       WHERE workspace_id = of_workspace AND mode = of_mode AND outcome = 'open' AND archived_at IS NULL;
       RETURN CASE WHEN first IS NULL THEN of_stage = 'new_enquiry' ELSE coalesce(place <= first, false) END;
     END $$`,
  recordLeadInsert(false),
  // A lead without a journey is one that the backfill hasn't reached: its earlier stays aren't known.
  `CREATE OR REPLACE FUNCTION record_lead_update() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (
         SELECT FROM went JOIN came USING (workspace_id, mode, id) WHERE ${watched('went')} IS DISTINCT FROM ${watched('came')}
       ) THEN
         RETURN NULL;
       END IF;
       INSERT INTO lead_journeys (workspace_id, mode, lead_id, ${COPIED}, visited, is_excluded)
       SELECT went.workspace_id, went.mode, went.id, ${copiedFrom('went')}, ARRAY[went.stage], false
       FROM went WHERE NOT EXISTS (
         SELECT FROM lead_journeys j WHERE (j.workspace_id, j.mode, j.lead_id) = (went.workspace_id, went.mode, went.id)
       );
       ${locked('came', 'FOR NO KEY UPDATE')}
       WITH changed AS MATERIALIZED (
         SELECT j.workspace_id, j.mode, j.lead_id, j.stay, j.stage AS from_stage, j.entered_at, j.created_at,
           j.stage <> came.stage AS is_moved, came.stage = ANY (j.visited) AS is_known,
           greatest(j.entered_at, CASE WHEN came.updated_at > went.updated_at THEN came.updated_at
             ELSE date_trunc('milliseconds', clock_timestamp()) END) AS at,
           came.source, came.owner_id, came.lost_reason_id, came.archived_at, came.stage,
           lead_outcome(came.stage, came.outcome) AS outcome
         FROM went JOIN came USING (workspace_id, mode, id)
         JOIN lead_journeys j ON (j.workspace_id, j.mode, j.lead_id) = (came.workspace_id, came.mode, came.id)
       ), returned AS (
         UPDATE lead_stage_spells s SET is_last = false FROM changed
         WHERE (s.workspace_id, s.mode, s.lead_id) = (changed.workspace_id, changed.mode, changed.lead_id)
           AND s.stage = changed.stage AND s.is_last AND changed.is_moved AND changed.is_known
       ), ended AS (
         INSERT INTO lead_stage_spells
           (workspace_id, mode, lead_id, number, stage, entered_at, left_at, to_stage, lead_created_at, is_last)
         SELECT workspace_id, mode, lead_id, stay, from_stage, entered_at, at, stage, created_at, true
         FROM changed WHERE is_moved
       )
       UPDATE lead_journeys j SET
         source = c.source, owner_id = c.owner_id, lost_reason_id = c.lost_reason_id,
         is_archived = c.archived_at IS NOT NULL, stage = c.stage, outcome = c.outcome,
         stay = j.stay + c.is_moved::int, entered_at = CASE WHEN c.is_moved THEN c.at ELSE j.entered_at END,
         visited = CASE WHEN c.is_known THEN j.visited ELSE j.visited || c.stage END,
         won_at = CASE WHEN c.outcome = 'won' THEN CASE j.outcome WHEN 'won' THEN j.won_at ELSE c.at END END,
         lost_at = CASE WHEN c.outcome = 'lost' THEN CASE j.outcome WHEN 'lost' THEN j.lost_at ELSE c.at END END
       FROM changed c WHERE (j.workspace_id, j.mode, j.lead_id) = (c.workspace_id, c.mode, c.lead_id);
       RETURN NULL;
     END $$`,
  `CREATE OR REPLACE FUNCTION record_lead_delete() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       ${locked('went', 'FOR UPDATE')}
       DELETE FROM lead_journeys j USING went WHERE (j.workspace_id, j.mode, j.lead_id) = (went.workspace_id, went.mode, went.id);
       DELETE FROM lead_stage_spells s USING went WHERE (s.workspace_id, s.mode, s.lead_id) = (went.workspace_id, went.mode, went.id);
       RETURN NULL;
     END $$`,
];

/** The rows of a change, as its trigger sees them. */
const CHANGES = {
  insert: 'NEW TABLE AS came',
  update: 'OLD TABLE AS went NEW TABLE AS came',
  delete: 'OLD TABLE AS went',
};

const TRIGGERS = Object.entries(CHANGES).flatMap(([change, tables]) => [
  `DROP TRIGGER IF EXISTS lead_journeys_on_${change} ON leads`,
  `CREATE TRIGGER lead_journeys_on_${change} AFTER ${change} ON leads REFERENCING ${tables}
     FOR EACH STATEMENT EXECUTE FUNCTION record_lead_${change}()`,
]);
