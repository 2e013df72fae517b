import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The results of forms that were sent, for those that are sent again. */
export class FormSubmissions1822000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE form_submissions (
        -- Follows from the browser's secret and the form's token, which are not kept.
        id uuid PRIMARY KEY,
        -- The browser: SHA-256 of its secret.
        browser bytea NOT NULL,
        -- The order in which a browser's submissions are forgotten.
        position bigint GENERATED ALWAYS AS IDENTITY,
        -- Of what was sent: SHA-256.
        fingerprint bytea NOT NULL,
        -- Empty while the submission is at work, in its transaction, and for results that are too large to keep.
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
