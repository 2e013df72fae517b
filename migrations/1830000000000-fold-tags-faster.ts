import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * PostgreSQL plans a function in SQL anew for each statement that calls it, unless it can write its body in place. That took a
 * third of the time of inserting a lead. The result is the same, so indexes on it stay valid.
 */
export class FoldTagsFaster1830000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL analyses tables and builds indexes with a search path of its own. The schema's name may contain $$.
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    await runner.query(`
      CREATE OR REPLACE FUNCTION fold_texts(given text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $fold_texts$
      DECLARE
        folded text[] := '{}';
        one text;
      BEGIN
        FOREACH one IN ARRAY coalesce(given, '{}') LOOP
          folded := folded || ${schema}.fold_text(one);
        END LOOP;
        RETURN folded;
      END $fold_texts$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION fold_texts(given text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN ARRAY(SELECT fold_text(one) FROM unnest(given) AS one)`);
  }
}
