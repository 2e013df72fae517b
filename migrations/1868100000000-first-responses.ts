import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';
import { recordLeadInsert } from './lead-journeys/record-insert';

/** Small enough that a change of one of these leads hardly waits. */
const LEADS = 500;
/** Of two answers of the same moment, the earlier in this list is the first. */
const KINDS = `ARRAY['message', 'proposal', 'visit', 'activity', 'stage']`;
const PEOPLE = `('user', 'api_key', 'oauth', 'operator')`;
const THIS_LEAD = `workspace_id = of_workspace AND mode = of_mode AND lead_id = of_lead`;
const OUTBOUND = `direction = 'outbound' AND NOT is_automatic`;

/** What answers a lead: table, changes, condition. Deferred to the commit: rows of journeys are locked after all others. */
const ANSWERS: [name: string, table: string, change: string, condition: string][] = [
  ['sent_answer', 'messages', 'UPDATE OF sent_at', `OLD.sent_at IS NULL AND NEW.sent_at IS NOT NULL`],
  ['answer_added', 'messages', 'INSERT', `NEW.sent_at IS NOT NULL`],
  ['sent_answer', 'proposals', 'UPDATE OF sent_at', `OLD.sent_at IS NULL AND NEW.sent_at IS NOT NULL`],
  ['answer_added', 'proposals', 'INSERT', `NEW.sent_at IS NOT NULL`],
  ['answer_added', 'calendar_events', 'INSERT', `NEW.type = 'visit' AND NEW.lead_id IS NOT NULL`],
  ['answer_added', 'activities', 'INSERT', `NEW.direction = 'out'`],
  ['answer_added', 'lead_stage_changes', 'INSERT', `NEW.actor_type IN ${PEOPLE}`],
];
const REPLACED = `(OLD.direction = 'out' OR NEW.direction = 'out') AND (OLD.direction, OLD.at) IS DISTINCT FROM (NEW.direction, NEW.at)`;

/** The first response to each lead, and since when it waits for an answer. See ADR 60. */
export class FirstResponses1868100000000 implements MigrationInterface {
  /** Backfills in short transactions. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `ALTER TABLE messages
         ADD COLUMN IF NOT EXISTS is_automatic boolean NOT NULL DEFAULT false,
         ADD COLUMN IF NOT EXISTS sent_by json`,
      'ALTER TABLE proposals ADD COLUMN IF NOT EXISTS sent_by json',
      `ALTER TABLE lead_journeys
         -- When the lead wrote first, if that was before it was created.
         ADD COLUMN IF NOT EXISTS started_at timestamptz(3),
         ADD COLUMN IF NOT EXISTS responded_at timestamptz(3),
         ADD COLUMN IF NOT EXISTS response_kind text,
         ADD COLUMN IF NOT EXISTS response_by json,
         -- The last answer. Nothing that came before it waits.
         ADD COLUMN IF NOT EXISTS answered_at timestamptz(3),
         ADD COLUMN IF NOT EXISTS awaiting_since timestamptz(3)`,
    ]);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS lead_journeys_awaiting');
    await runner.query(`
      CREATE INDEX CONCURRENTLY lead_journeys_awaiting ON lead_journeys (workspace_id, mode, awaiting_since, lead_id)
        WHERE awaiting_since IS NOT NULL AND NOT is_archived`);
    await inShortLock(runner, FUNCTIONS);
    for (const [name, table, change, condition] of ANSWERS) {
      await createTrigger(runner, `${table}_${name}`, table, change, condition, 'record_answer');
    }
    await createTrigger(
      runner,
      'activities_answer_changed',
      'activities',
      'UPDATE',
      REPLACED,
      'review_answers',
    );
    await createTrigger(
      runner,
      'activities_answer_deleted',
      'activities',
      'DELETE',
      `OLD.direction = 'out'`,
      'review_answers',
    );
    await backfill(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      ...ANSWERS.map(([name, table]) => `DROP TRIGGER ${table}_${name} ON ${table}`),
      'DROP TRIGGER activities_answer_changed ON activities',
      'DROP TRIGGER activities_answer_deleted ON activities',
      recordLeadInsert(false),
      ...['record_answer()', 'review_answers()', 'review_journey(uuid, text, uuid)'].map(
        (name) => `DROP FUNCTION ${name}`,
      ),
      `ALTER TABLE lead_journeys DROP COLUMN started_at, DROP COLUMN responded_at, DROP COLUMN response_kind,
         DROP COLUMN response_by, DROP COLUMN answered_at, DROP COLUMN awaiting_since`,
      'ALTER TABLE messages DROP COLUMN is_automatic, DROP COLUMN sent_by',
      'ALTER TABLE proposals DROP COLUMN sent_by',
    ]);
  }
}

async function createTrigger(
  runner: QueryRunner,
  ...[name, table, change, condition, call]: [string, string, string, string, string]
): Promise<void> {
  await inShortLock(runner, [
    `DROP TRIGGER IF EXISTS ${name} ON ${table}`,
    `CREATE CONSTRAINT TRIGGER ${name} AFTER ${change} ON ${table} DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${call}()`,
  ]);
}

const FUNCTIONS = [
  recordLeadInsert(true),
  // Locks the journey first, so that the next statement sees what others committed meanwhile.
  `CREATE OR REPLACE FUNCTION record_answer() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       answer text;
       answer_at timestamptz(3);
       answer_by json;
     BEGIN
       IF NEW.lead_id IS NULL THEN RETURN NULL; END IF;
       IF TG_TABLE_NAME = 'messages' THEN
         IF NEW.direction = 'inbound' THEN
           UPDATE lead_journeys SET
             started_at = CASE WHEN NEW.sent_at < coalesce(started_at, created_at) THEN NEW.sent_at ELSE started_at END,
             awaiting_since = CASE WHEN answered_at >= NEW.sent_at THEN awaiting_since ELSE least(awaiting_since, NEW.sent_at) END
           WHERE workspace_id = NEW.workspace_id AND mode = NEW.mode AND lead_id = NEW.lead_id;
           RETURN NULL;
         END IF;
         IF NEW.is_automatic THEN RETURN NULL; END IF;
         answer := 'message'; answer_at := NEW.sent_at; answer_by := NEW.sent_by;
       ELSIF TG_TABLE_NAME = 'proposals' THEN
         answer := 'proposal'; answer_at := NEW.sent_at; answer_by := NEW.sent_by;
       ELSIF TG_TABLE_NAME = 'calendar_events' THEN
         answer := 'visit'; answer_at := NEW.created_at;
       ELSIF TG_TABLE_NAME = 'activities' THEN
         answer := 'activity'; answer_at := NEW.at;
         answer_by := json_build_object('type', NEW.author->'type', 'id', NEW.author->'id', 'name', NEW.author->'name');
       ELSE
         answer_at := NEW.at;
         IF begins_journey(NEW.workspace_id, NEW.mode, NEW.from_stage) THEN
           answer := 'stage';
           answer_by := json_build_object('type', NEW.actor_type, 'id', NEW.actor_id, 'name', NEW.actor_name);
         ELSIF NOT EXISTS (
           SELECT FROM lead_journeys
           WHERE workspace_id = NEW.workspace_id AND mode = NEW.mode AND lead_id = NEW.lead_id
             AND awaiting_since IS NOT NULL AND lost_at = NEW.at
         ) THEN
           RETURN NULL;
         END IF;
       END IF;
       PERFORM FROM lead_journeys
       WHERE workspace_id = NEW.workspace_id AND mode = NEW.mode AND lead_id = NEW.lead_id FOR NO KEY UPDATE;
       UPDATE lead_journeys j SET
         (responded_at, response_kind, response_by) = (
           SELECT CASE WHEN is_first THEN answer_at ELSE j.responded_at END,
             CASE WHEN is_first THEN answer ELSE j.response_kind END,
             CASE WHEN is_first THEN answer_by ELSE j.response_by END
           FROM (SELECT answer IS NOT NULL AND (j.responded_at IS NULL
             OR (answer_at, array_position(${KINDS}, answer)) < (j.responded_at, array_position(${KINDS}, j.response_kind))
           ) AS is_first) AS compared
         ),
         answered_at = greatest(j.answered_at, answer_at),
         awaiting_since = CASE WHEN j.awaiting_since > answer_at THEN j.awaiting_since
           WHEN j.awaiting_since IS NOT NULL THEN (
             SELECT min(m.sent_at) FROM messages m
             WHERE m.workspace_id = j.workspace_id AND m.mode = j.mode AND m.lead_id = j.lead_id
               AND m.direction = 'inbound' AND m.created_at > answer_at AND m.sent_at > greatest(j.answered_at, answer_at)
           ) END
       WHERE workspace_id = NEW.workspace_id AND mode = NEW.mode AND lead_id = NEW.lead_id;
       RETURN NULL;
     END $$`,
  // From all that stands: after an answer was changed or taken back, and for leads from before.
  `CREATE OR REPLACE FUNCTION review_journey(of_workspace uuid, of_mode text, of_lead uuid) RETURNS void
     LANGUAGE plpgsql AS $$
     DECLARE
       earliest record;
       latest timestamptz(3);
     BEGIN
       PERFORM FROM lead_journeys WHERE ${THIS_LEAD} FOR NO KEY UPDATE;
       WITH answers AS MATERIALIZED (
         SELECT 'message' AS kind, sent_at AS at, sent_by AS actor FROM messages
           WHERE ${THIS_LEAD} AND ${OUTBOUND} AND sent_at IS NOT NULL
         UNION ALL SELECT 'proposal', sent_at, sent_by FROM proposals WHERE ${THIS_LEAD} AND sent_at IS NOT NULL
         UNION ALL SELECT 'visit', created_at, NULL FROM calendar_events WHERE ${THIS_LEAD} AND type = 'visit'
         UNION ALL SELECT 'activity', at,
             json_build_object('type', author->'type', 'id', author->'id', 'name', author->'name')
           FROM activities WHERE ${THIS_LEAD} AND direction = 'out'
         UNION ALL SELECT CASE WHEN begins_journey(workspace_id, mode, from_stage) THEN 'stage' END, at,
             json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name)
           FROM lead_stage_changes c WHERE ${THIS_LEAD} AND actor_type IN ${PEOPLE} AND (
             begins_journey(workspace_id, mode, from_stage)
             OR 'lost' = coalesce((
               SELECT outcome FROM stages s WHERE (s.workspace_id, s.mode, s.key) = (c.workspace_id, c.mode, c.to_stage)
             ), lead_outcome(to_stage, NULL)))
       )
       SELECT kind, at, actor, (SELECT max(at) FROM answers) AS latest INTO earliest
       FROM (SELECT) AS one LEFT JOIN answers ON kind IS NOT NULL
       ORDER BY at, array_position(${KINDS}, kind) LIMIT 1;
       latest := earliest.latest;
       UPDATE lead_journeys j SET responded_at = earliest.at, response_kind = earliest.kind, response_by = earliest.actor,
         answered_at = latest,
         started_at = (SELECT min(sent_at) FROM messages WHERE ${THIS_LEAD} AND direction = 'inbound' AND sent_at < j.created_at),
         awaiting_since = least(
           CASE WHEN latest IS NULL AND NOT j.is_excluded AND j.outcome = 'open' THEN j.created_at END,
           (SELECT min(sent_at) FROM messages WHERE ${THIS_LEAD} AND direction = 'inbound' AND (latest IS NULL OR sent_at > latest))
         )
       WHERE ${THIS_LEAD};
     END $$`,
  `CREATE OR REPLACE FUNCTION review_answers() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       PERFORM review_journey(OLD.workspace_id, OLD.mode, OLD.lead_id);
       RETURN NULL;
     END $$`,
];

/**
 * Reviews the leads from before. Of those that are older than what is recorded, and moved on without a known answer, nobody
 * knows how long they waited: they are excluded.
 */
async function backfill(runner: QueryRunner): Promise<void> {
  let last: unknown[] | undefined;
  do {
    const after = last ? 'WHERE (workspace_id, mode, lead_id) > ($1::uuid, $2, $3::uuid)' : '';
    const [portion] = (await runner.query(
      `WITH portion AS MATERIALIZED (
         SELECT workspace_id, mode, lead_id FROM lead_journeys ${after}
         ORDER BY workspace_id, mode, lead_id LIMIT ${LEADS}
       ), reviewed AS MATERIALIZED (
         SELECT review_journey(workspace_id, mode, lead_id) FROM portion
       )
       SELECT (SELECT count(*) FROM reviewed), workspace_id, mode, lead_id FROM portion
       ORDER BY 2 DESC, 3 DESC, 4 DESC LIMIT 1`,
      last,
    )) as { workspace_id: string; mode: string; lead_id: string }[];
    if (portion) {
      await runner.query(
        `WITH unknown AS MATERIALIZED (
           SELECT workspace_id, mode, lead_id FROM lead_journeys
           WHERE (workspace_id, mode, lead_id) <= ($1::uuid, $2, $3::uuid)
             ${last ? 'AND (workspace_id, mode, lead_id) > ($4::uuid, $5, $6::uuid)' : ''}
             AND NOT is_excluded AND responded_at IS NULL AND NOT begins_journey(workspace_id, mode, stage)
             AND created_at < (SELECT complete_since FROM lead_journeys_beginning)
           ORDER BY workspace_id, mode, lead_id FOR NO KEY UPDATE
         )
         UPDATE lead_journeys j SET is_excluded = true,
           awaiting_since = CASE WHEN j.awaiting_since > j.created_at THEN j.awaiting_since END
         FROM unknown u WHERE (j.workspace_id, j.mode, j.lead_id) = (u.workspace_id, u.mode, u.lead_id)`,
        [portion.workspace_id, portion.mode, portion.lead_id, ...(last ?? [])],
      );
    }
    last = portion && [portion.workspace_id, portion.mode, portion.lead_id];
  } while (last);
}
