import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a list of leads is sorted by, and the two filters that narrow it most often, newest first within each. */
const SORTED = {
  leads_created_at: 'created_at',
  leads_updated_at: 'updated_at',
  leads_event_date: 'event_date',
  leads_name: 'name',
  leads_stage: 'stage, created_at',
} as const;
const NEW = { leads_source: 'source, created_at' } as const;

/** What a statement did, by what the trigger of its kind can see. */
const CHANGES = {
  insert: { tables: 'NEW TABLE AS came', changes: 'SELECT *, 1 AS difference FROM came' },
  update: {
    tables: 'OLD TABLE AS went NEW TABLE AS came',
    changes: 'SELECT *, 1 AS difference FROM came UNION ALL SELECT *, -1 FROM went',
  },
  delete: { tables: 'OLD TABLE AS went', changes: 'SELECT *, -1 AS difference FROM went' },
} as const;

/**
 * Lists of leads whose cost doesn't grow with the workspace: how many there are is counted as they change, each order has an
 * index for those that are archived and one for the others, and searches and tags have one too.
 */
export class LeadsAtAnySize1804000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await countLeads(runner);
    for (const name of Object.keys(SORTED)) await runner.query(`DROP INDEX ${name}`);
    for (const [name, columns] of Object.entries({ ...SORTED, ...NEW })) {
      const index = `ON leads (workspace_id, mode, ${columns}, id) WHERE archived_at IS`;
      await runner.query(`CREATE INDEX ${name} ${index} NULL`);
      await runner.query(`CREATE INDEX ${name}_archived ${index} NOT NULL`);
    }
    // Both are trusted: the owner of the database may install them.
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    // New leads wait in a list that every search reads through: a short one, so that reading and emptying it stay cheap.
    await runner.query(`
      CREATE INDEX leads_search ON leads USING gin (workspace_id, mode, tags, search_text gin_trgm_ops)
        WITH (fastupdate = on, gin_pending_list_limit = 256)`);
    // By default a table is vacuumed when a fifth of it has changed: too late for reading indexes alone.
    await runner.query(`
      ALTER TABLE leads SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE leads RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor,
        autovacuum_analyze_scale_factor)`);
    await runner.query('DROP INDEX leads_search');
    await runner.query('DROP EXTENSION btree_gin');
    await runner.query('DROP EXTENSION pg_trgm');
    for (const name of Object.keys({ ...SORTED, ...NEW })) {
      await runner.query(`DROP INDEX ${name}, ${name}_archived`);
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
 * A count is spread over slots, and a running transaction has its slot to itself: it takes the first that no other holds. So
 * transactions never wait for each other's counts, whatever they change in whatever order, and there are as many slots as there
 * were transactions at once.
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
  // The first of these triggers keeps writers out until the migration is through, so that what is counted last is what there is.
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
