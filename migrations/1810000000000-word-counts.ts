import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The changes of a statement, as the transition tables of its trigger show them. */
const CHANGES = {
  insert: { tables: 'NEW TABLE AS came', changes: 'SELECT *, 1 AS difference FROM came' },
  update: {
    tables: 'OLD TABLE AS went NEW TABLE AS came',
    changes: 'SELECT *, 1 AS difference FROM came UNION ALL SELECT *, -1 FROM went',
  },
  delete: { tables: 'OLD TABLE AS went', changes: 'SELECT *, -1 AS difference FROM went' },
} as const;

/**
 * Counts how many leads of a large list contain each short or frequent word. Changes since the last count are recorded in the
 * transaction of the change until they are added up, so counts and changes together are always exact.
 */
export class WordCounts1810000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE lead_word_lists (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        counting_since timestamptz,
        counted_at timestamptz,
        has_short_words boolean NOT NULL DEFAULT false,
        leads bigint,
        PRIMARY KEY (workspace_id, mode)
      )`);
    await runner.query(`
      CREATE TABLE lead_word_counts (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        word text COLLATE "C" NOT NULL,
        archived boolean NOT NULL,
        leads bigint NOT NULL,
        lead_ids uuid[],
        PRIMARY KEY (workspace_id, mode, word, archived),
        FOREIGN KEY (workspace_id, mode) REFERENCES lead_word_lists
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1)`);
    // No foreign key to the list: recording a change must not wait for the job that adds up.
    await runner.query(`
      CREATE TABLE lead_word_changes (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY,
        lead_id uuid NOT NULL,
        archived boolean NOT NULL,
        search_text text NOT NULL,
        difference smallint NOT NULL,
        PRIMARY KEY (workspace_id, mode, position)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000)`);
    for (const [change, { tables, changes }] of Object.entries(CHANGES)) {
      await runner.query(`
        CREATE FUNCTION note_lead_words_on_${change}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO lead_word_changes (workspace_id, mode, lead_id, archived, search_text, difference)
          SELECT workspace_id, mode, id, archived_at IS NOT NULL, search_text, sum(difference)
          FROM (${changes}) AS changed
          WHERE EXISTS (SELECT FROM lead_word_lists AS list
            WHERE list.workspace_id = changed.workspace_id AND list.mode = changed.mode)
          GROUP BY 1, 2, 3, 4, 5 HAVING sum(difference) <> 0;
          RETURN NULL;
        END $$`);
      await runner.query(`
        CREATE TRIGGER lead_words_noted_on_${change} AFTER ${change} ON leads REFERENCING ${tables}
          FOR EACH STATEMENT EXECUTE FUNCTION note_lead_words_on_${change}()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const change of Object.keys(CHANGES)) {
      await runner.query(`DROP TRIGGER lead_words_noted_on_${change} ON leads`);
      await runner.query(`DROP FUNCTION note_lead_words_on_${change}`);
    }
    await runner.query('DROP TABLE lead_word_changes, lead_word_counts, lead_word_lists');
  }
}
