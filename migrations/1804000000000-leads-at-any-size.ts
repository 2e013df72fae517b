import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sort orders of lists of leads, and the two most common filters, each newest first. */
const SORTED = {
  leads_created_at: 'created_at',
  leads_updated_at: 'updated_at',
  leads_event_date: 'event_date',
  leads_name: 'name',
  leads_stage: 'stage, created_at',
} as const;
const NEW = { leads_source: 'source, created_at' } as const;

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
 * Lists of leads whose cost doesn't grow with the workspace: counts are maintained as leads change, each sort order has an
 * index for archived leads and one for the others, and searches and tags have an index too.
 */
export class LeadsAtAnySize1804000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Blocks changes of leads during the migration, but not reads.
    await runner.query('LOCK TABLE leads IN EXCLUSIVE MODE');
    await countLeads(runner);
    for (const [name, columns] of Object.entries({ ...SORTED, ...NEW })) {
      const index = `ON leads (workspace_id, mode, ${columns}, id) WHERE archived_at IS`;
      await runner.query(`CREATE INDEX ${name}_open ${index} NULL`);
      await runner.query(`CREATE INDEX ${name}_archived ${index} NOT NULL`);
    }
    // Both are trusted, so the owner of the database may install them.
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    // Every search reads the pending list of new leads, so it is kept short, and cheap to read and to empty.
    await runner.query(`
      CREATE INDEX leads_search ON leads USING gin (workspace_id, mode, tags, search_text gin_trgm_ops)
        WITH (fastupdate = on, gin_pending_list_limit = 256)`);
    // By default a table is vacuumed after a fifth of it has changed, which is too late for index-only scans.
    await runner.query(`
      ALTER TABLE leads SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02)`);
    // Last, because it blocks reads.
    for (const name of Object.keys(SORTED)) await runner.query(`DROP INDEX ${name}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE leads RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor,
        autovacuum_analyze_scale_factor)`);
    await runner.query('DROP INDEX leads_search');
    await runner.query('DROP EXTENSION btree_gin');
    await runner.query('DROP EXTENSION pg_trgm');
    for (const name of Object.keys({ ...SORTED, ...NEW })) {
      await runner.query(`DROP INDEX ${name}_open, ${name}_archived`);
    }
    for (const [name, columns] of Object.entries(SORTED)) {
      await runner.query(`CREATE INDEX ${name} ON leads (workspace_id, mode, ${columns}, id)`);
    }
    for (const change of Object.keys(CHANGES)) {
      await runner.query(`DROP TRIGGER leads_counted_on_${change} ON leads`);
      await runner.query(`DROP FUNCTION count_leads_on_${change}`);
    }
    await runner.query('DROP TABLE lead_counts');
  }
}

/**
 * A count is spread over slots. A transaction uses the first slot that no other one holds, so transactions never wait for each
 * other's counts or deadlock over them. There are as many slots as there were concurrent transactions.
 */
async function countLeads(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE lead_counts (
      workspace_id uuid NOT NULL REFERENCES workspaces (id),
      mode text NOT NULL CHECK (mode IN ('live', 'test')),
      archived boolean NOT NULL,
      stage text NOT NULL,
      slot integer NOT NULL,
      leads bigint NOT NULL,
      PRIMARY KEY (workspace_id, mode, archived, stage, slot)
    ) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`);
  for (const [change, { tables, changes }] of Object.entries(CHANGES)) {
    await runner.query(`
      CREATE FUNCTION count_leads_on_${change}() RETURNS trigger LANGUAGE plpgsql AS $$
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
    await runner.query(`
      CREATE TRIGGER leads_counted_on_${change} AFTER ${change} ON leads REFERENCING ${tables}
        FOR EACH STATEMENT EXECUTE FUNCTION count_leads_on_${change}()`);
  }
  await runner.query(`
    INSERT INTO lead_counts
    SELECT workspace_id, mode, archived_at IS NOT NULL, stage, 0, count(*) FROM leads GROUP BY 1, 2, 3, 4`);
}
