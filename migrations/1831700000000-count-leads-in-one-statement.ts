import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHANGES = {
  insert: 'SELECT *, 1 AS difference FROM came',
  update: 'SELECT *, 1 AS difference FROM came UNION ALL SELECT *, -1 FROM went',
  delete: 'SELECT *, -1 AS difference FROM went',
};

/** Counts the leads of a change with one statement for all of its stages, instead of one that loops over another. */
export class CountLeadsInOneStatement1831700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The first slot that no other transaction holds: see ADR 26.
    await runner.query(`
      CREATE FUNCTION free_count_slot(workspace_id uuid, mode text) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
          slot integer := 0;
        BEGIN
          WHILE NOT pg_try_advisory_xact_lock(hashtextextended(workspace_id || mode, slot)) LOOP
            slot := slot + 1;
          END LOOP;
          RETURN slot;
        END $$`);
    for (const [change, changes] of Object.entries(CHANGES)) {
      await runner.query(`
        CREATE OR REPLACE FUNCTION count_leads_on_${change}() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO lead_counts AS counted (workspace_id, mode, archived, stage, slot, leads)
            SELECT workspace_id, mode, archived_at IS NOT NULL, stage, free_count_slot(workspace_id, mode), sum(difference)
            FROM (${changes}) AS changes GROUP BY 1, 2, 3, 4 HAVING sum(difference) <> 0
            ON CONFLICT (workspace_id, mode, archived, stage, slot) DO UPDATE SET leads = counted.leads + excluded.leads;
            RETURN NULL;
          END $$`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [change, changes] of Object.entries(CHANGES)) {
      await runner.query(`
        CREATE OR REPLACE FUNCTION count_leads_on_${change}() RETURNS trigger LANGUAGE plpgsql AS $$
          DECLARE
            change record;
            own_slot integer;
          BEGIN
            FOR change IN
              SELECT workspace_id, mode, archived_at IS NOT NULL AS archived, stage, sum(difference) AS leads
              FROM (${changes}) AS changes GROUP BY 1, 2, 3, 4 HAVING sum(difference) <> 0
            LOOP
              own_slot := 0;
              WHILE NOT pg_try_advisory_xact_lock(hashtextextended(change.workspace_id || change.mode, own_slot)) LOOP
                own_slot := own_slot + 1;
              END LOOP;
              INSERT INTO lead_counts AS counted
              VALUES (change.workspace_id, change.mode, change.archived, change.stage, own_slot, change.leads)
              ON CONFLICT (workspace_id, mode, archived, stage, slot) DO UPDATE SET leads = counted.leads + excluded.leads;
            END LOOP;
            RETURN NULL;
          END $$`);
    }
    await runner.query('DROP FUNCTION free_count_slot(uuid, text)');
  }
}
