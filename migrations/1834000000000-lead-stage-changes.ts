import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The history of each lead's stages. Its key is also its only index, since every change of a stage writes a row. */
export class LeadStageChanges1834000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE lead_stage_changes (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        lead_id uuid NOT NULL,
        at timestamptz(3) NOT NULL,
        -- Orders the changes of one moment.
        number bigint GENERATED ALWAYS AS IDENTITY,
        from_stage text NOT NULL,
        to_stage text NOT NULL,
        -- Of a lead that became lost, or was until then.
        lost_reason_id uuid,
        lost_note text,
        -- Null when nobody of the workspace acted.
        actor_type text,
        actor_id text,
        actor_name text,
        PRIMARY KEY (workspace_id, mode, lead_id, at, number)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE lead_stage_changes');
  }
}
