import { Injectable } from '@nestjs/common';
import { fromUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { type LeadMatch, LeadMatches, type MatchValues, MAX_NAMED } from '../application/lead-matches';
import type { MatchField } from '../application/lead-writes';

/**
 * Values share this many locks in each workspace and mode: PostgreSQL has room for 64 locks of a transaction, and a batch may
 * have a thousand values. All releases must use the same number.
 */
const LOCKS = 32;

const CONDITIONS: Record<MatchField, string> = {
  externalId: 'external_id = given.value',
  email: 'fold_text(email) = fold_text(given.value) AND archived_at IS NULL',
  phone: 'phone = given.value AND archived_at IS NULL',
};

interface Row {
  by: MatchField;
  value: string;
  id: string;
  created_at: Date;
  revision: number;
}

@Injectable()
export class PostgresLeadMatches extends LeadMatches {
  constructor(private readonly database: Database) {
    super();
  }

  /** Equal addresses have equal hashes, whatever their case. The locks are taken in order, so that two batches can't deadlock. */
  async reserve({ workspaceId, mode }: WorkspaceRef, values: readonly string[]): Promise<void> {
    if (values.length === 0) return;
    await this.database.sql(
      `SELECT pg_advisory_xact_lock(hashtext($1), lock) FROM (
         SELECT DISTINCT hashtext(fold_text(value)) & ${LOCKS - 1} AS lock FROM unnest($2::text[]) AS value ORDER BY lock
       ) AS locks`,
      [`${workspaceId} ${mode} leads`, values],
    );
  }

  async find(ref: WorkspaceRef, values: MatchValues): Promise<LeadMatch[]> {
    const fields = (Object.keys(CONDITIONS) as MatchField[]).filter((field) => values[field].length > 0);
    if (fields.length === 0) return [];
    // The walk of an index, newest first, ends at the limit: many leads may have one address.
    const parts = fields.map(
      (field, index) => `
        SELECT '${field}' AS by, given.value, found.* FROM unnest($${index + 3}::text[]) AS given (value)
        CROSS JOIN LATERAL (
          SELECT id, created_at, revision FROM leads WHERE ${IN_WORKSPACE} AND ${CONDITIONS[field]}
          ORDER BY created_at DESC, id DESC LIMIT ${MAX_NAMED + 1}
        ) AS found`,
    );
    const rows = await this.database.sql<Row>(parts.join(' UNION ALL '), [
      ...workspaceKey(ref),
      ...fields.map((field) => values[field]),
    ]);
    return rows.map(({ by, value, id, created_at, revision }) => ({
      by,
      value,
      id: fromUuid('lead', id),
      createdAt: created_at,
      revision,
    }));
  }
}
