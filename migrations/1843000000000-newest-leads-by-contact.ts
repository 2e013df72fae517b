import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The indexes by address and number, in which the newest of the leads that share one come last. */
const INDEXES = {
  leads_email_key: { columns: 'fold_text(email)', where: '' },
  leads_phone: { columns: 'phone', where: 'WHERE phone IS NOT NULL' },
} as const;

/**
 * Rebuilds the indexes of leads by e-mail address and phone number with the time of creation: many leads may share an address,
 * and finding the newest of them reads no others.
 */
export class NewestLeadsByContact1843000000000 implements MigrationInterface {
  /** Builds indexes without blocking writes. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await rebuild(runner, ', created_at, id', 'CONCURRENTLY');
  }

  /** Within a transaction, since TypeORM takes migrations back in one. */
  async down(runner: QueryRunner): Promise<void> {
    await rebuild(runner, '', '');
  }
}

/** Instances of the previous release use the rebuilt indexes too: their columns come first. */
async function rebuild(runner: QueryRunner, more: string, way: 'CONCURRENTLY' | ''): Promise<void> {
  for (const [name, { columns, where }] of Object.entries(INDEXES)) {
    await runner.query(`DROP INDEX ${way} IF EXISTS ${name}_rebuilt`);
    await runner.query(
      `CREATE INDEX ${way} ${name}_rebuilt ON leads (workspace_id, mode, ${columns}${more}) ${where}`,
    );
    await runner.query(`DROP INDEX ${way} IF EXISTS ${name}`);
    await runner.query(`ALTER INDEX ${name}_rebuilt RENAME TO ${name}`);
  }
  // The planner has no statistics of an expression before that.
  await runner.query('ANALYZE leads');
}
