import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Small enough that a change of one of these leads hardly waits. */
const PORTION = 100;

/** Capitals of Unicode 11 to 17, which older ICU libraries don't lower: first, last, distance to the small letter. */
const NEWER_CAPITALS = [
  [0x1c89, 0x1c89, 1],
  [0x1c90, 0x1cba, -0xbc0],
  [0x1cbd, 0x1cbf, -0xbc0],
  [0x2c2f, 0x2c2f, 0x30],
  ...[0xa7b8, 0xa7ba, 0xa7bc, 0xa7be, 0xa7c0, 0xa7c2, 0xa7c7, 0xa7c9, 0xa7cc, 0xa7ce].map((one) => [
    one,
    one,
    1,
  ]),
  ...[0xa7d0, 0xa7d2, 0xa7d4, 0xa7d6, 0xa7d8, 0xa7da, 0xa7f5].map((one) => [one, one, 1]),
  [0xa7c4, 0xa7c4, -0x30],
  [0xa7c5, 0xa7c5, -0xa543],
  [0xa7c6, 0xa7c6, -0x8a38],
  [0xa7cb, 0xa7cb, -0xa567],
  [0xa7dc, 0xa7dc, -0xa641],
  [0x10570, 0x1057a, 0x27],
  [0x1057c, 0x1058a, 0x27],
  [0x1058c, 0x10592, 0x27],
  [0x10594, 0x10595, 0x27],
  [0x10d50, 0x10d65, 0x20],
  [0x16e40, 0x16e5f, 0x20],
  [0x16ea0, 0x16eb8, 0x1b],
] as [number, number, number][];

/** Search texts of the previous release that `fold_text` would change: they are lower case, but may be decomposed. */
const isUnfolded = (text: string) => `${text} IS NOT NFC NORMALIZED OR strpos(${text}, 'ς') > 0`;

/** The indexes on the unfolded text are dropped by DropReplacedIndexes, once these are built. */
const INDEXES = {
  leads_email_key: '(workspace_id, mode, fold_text(email))',
  leads_source_key_open: '(workspace_id, mode, fold_text(source), created_at, id) WHERE archived_at IS NULL',
  leads_source_key_archived:
    '(workspace_id, mode, fold_text(source), created_at, id) WHERE archived_at IS NOT NULL',
  leads_tag_keys: `USING gin (fold_texts(tags), workspace_id) WITH (fastupdate = on, gin_pending_list_limit = 256)`,
} as const;

/**
 * `fold_text` is the database's `foldText`. Filters on leads compare its results, so they find rows written by any release.
 * Search texts are stored folded; a trigger folds those that instances of the previous release write.
 */
export class TextKeys1820000000000 implements MigrationInterface {
  /** Builds indexes and changes rows without blocking writes. An interrupted run can be repeated and skips finished work. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createFunctions(runner);
    await inShortLock(runner, [
      'DROP TRIGGER IF EXISTS leads_fold_search_text ON leads',
      `CREATE TRIGGER leads_fold_search_text BEFORE INSERT OR UPDATE OF search_text ON leads
         FOR EACH ROW WHEN (${isUnfolded('NEW.search_text')}) EXECUTE FUNCTION fold_search_text()`,
    ]);
    await foldSearchTexts(runner);
    for (const [name, definition] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON leads ${definition}`);
    }
    // The planner has no statistics of an expression before that.
    await runner.query('ANALYZE leads');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
    await runner.query('DROP TRIGGER leads_fold_search_text ON leads');
    await runner.query('DROP FUNCTION fold_search_text()');
    await runner.query('DROP FUNCTION fold_texts(text[])');
    await runner.query('DROP FUNCTION fold_text(text)');
  }
}

async function createFunctions(runner: QueryRunner): Promise<void> {
  const capitals = NEWER_CAPITALS.flatMap(([first, last, distance]) =>
    Array.from(
      { length: last - first + 1 },
      (_, index) => [first + index, first + index + distance] as const,
    ),
  );
  const from = String.fromCodePoint(...capitals.map(([capital]) => capital));
  const to = String.fromCodePoint(...capitals.map(([, small]) => small));
  // ICU lowers by Unicode's rules, regardless of the database's locale. Most texts are ASCII and don't need it.
  await runner.query(`
    CREATE OR REPLACE FUNCTION fold_text(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE WHEN octet_length(given) = char_length(given) THEN lower(given COLLATE "und-x-icu")
        ELSE normalize(translate(lower(normalize(given, NFC) COLLATE "und-x-icu"), 'ς${from}', 'σ${to}'), NFC) END`);
  await runner.query(`
    CREATE OR REPLACE FUNCTION fold_texts(given text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ARRAY(SELECT fold_text(one) FROM unnest(given) AS one)`);
  await runner.query(`
    CREATE OR REPLACE FUNCTION fold_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.search_text := fold_text(NEW.search_text); RETURN NEW; END $$`);
}

/** Each batch is a separate transaction, which locks only its unfolded rows, in the order in which leads are locked. */
async function foldSearchTexts(runner: QueryRunner): Promise<void> {
  let last: unknown[] | undefined;
  do {
    const after = last ? 'WHERE (workspace_id, mode, id) > ($1::uuid, $2, $3::uuid)' : '';
    const [portion] = (await runner.query(
      `WITH portion AS MATERIALIZED (
         SELECT workspace_id, mode, id FROM leads ${after} ORDER BY workspace_id, mode, id LIMIT ${PORTION}
       ), unfolded AS MATERIALIZED (
         SELECT workspace_id, mode, id FROM leads JOIN portion USING (workspace_id, mode, id)
         WHERE ${isUnfolded('search_text')} ORDER BY workspace_id, mode, id FOR NO KEY UPDATE OF leads
       ), folded AS (
         UPDATE leads SET search_text = fold_text(search_text) FROM unfolded
         WHERE (leads.workspace_id, leads.mode, leads.id) = (unfolded.workspace_id, unfolded.mode, unfolded.id)
       )
       SELECT workspace_id, mode, id FROM portion ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT 1`,
      last,
    )) as { workspace_id: string; mode: string; id: string }[];
    last = portion && [portion.workspace_id, portion.mode, portion.id];
  } while (last);
}
