import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/**
 * The values of leads in custom fields, and the index for filters by them. A column with a constant default rewrites no table,
 * and the index is built without blocking writes. Leads without values aren't in it, so it costs them nothing.
 */
export class CustomValues1857000000000 implements MigrationInterface {
  /** All requests for leads queue behind a statement that waits for a lock on the table. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `ALTER TABLE leads ADD COLUMN IF NOT EXISTS custom jsonb NOT NULL DEFAULT '{}'`,
    ]);
    // PostgreSQL analyses tables and builds indexes with a search path of its own. The schema's name may contain $$.
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    // In PL/pgSQL, because a function in SQL would be planned anew for each lead. JSON without escapes is folded as one text; the
    // letter of an escape such as \r would become one character with an accent that follows.
    await runner.query(`
      CREATE OR REPLACE FUNCTION fold_values(given jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $fold_values$
      BEGIN
        IF position(E'\\\\' IN given::text) = 0 THEN
          RETURN ${schema}.fold_text(given::text)::jsonb;
        END IF;
        RETURN (
          SELECT jsonb_object_agg(key, CASE jsonb_typeof(value)
            WHEN 'string' THEN to_jsonb(${schema}.fold_text(value #>> '{}'))
            WHEN 'array' THEN (SELECT jsonb_agg(${schema}.fold_text(item)) FROM jsonb_array_elements_text(value) AS item)
            ELSE value END)
          FROM jsonb_each(given));
      END $fold_values$`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS leads_custom');
    await runner.query(`
      CREATE INDEX CONCURRENTLY leads_custom ON leads USING gin (fold_values(custom) jsonb_path_ops, workspace_id)
        WITH (fastupdate = on, gin_pending_list_limit = 256) WHERE custom <> '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // The index goes with its column.
    await inShortLock(runner, ['ALTER TABLE leads DROP COLUMN IF EXISTS custom']);
    await runner.query('DROP FUNCTION IF EXISTS fold_values(jsonb)');
  }
}
