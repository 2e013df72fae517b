import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The results of submitted forms, for repeated submissions. */
export class FormSubmissions1822000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE form_submissions (
        -- Derived from the browser's secret and the form's token, which are not stored.
        id uuid PRIMARY KEY,
        -- The browser: SHA-256 of its secret.
        browser bytea NOT NULL,
        -- The order in which a browser's submissions are deleted.
        position bigint GENERATED ALWAYS AS IDENTITY,
        -- SHA-256 of the submitted content.
        fingerprint bytea NOT NULL,
        -- Null within the submission's transaction, and for results that are too large to keep.
        sealed_result bytea,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX form_submissions_browser ON form_submissions (browser, position)');
    await runner.query('CREATE INDEX form_submissions_created_at ON form_submissions (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE form_submissions');
  }
}
