import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replaces the index on the calendar events of a lead by one in the order of a timeline. */
export class CalendarEventsOfLeads1841000000000 implements MigrationInterface {
  /** Doesn't block writes. An interrupted run can be repeated and skips finished work. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS calendar_events_lead_starts_at');
    await runner.query(`
      CREATE INDEX CONCURRENTLY calendar_events_lead_starts_at
        ON calendar_events (workspace_id, mode, lead_id, starts_at, id) WHERE lead_id IS NOT NULL`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS calendar_events_lead');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX calendar_events_lead ON calendar_events (workspace_id, mode, lead_id) WHERE lead_id IS NOT NULL',
    );
    await runner.query('DROP INDEX calendar_events_lead_starts_at');
  }
}
