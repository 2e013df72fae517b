import { Injectable } from '@nestjs/common';
import { fromUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { Parameters } from '../../../platform/persistence/parameters';
import {
  type MonthDays,
  type MonthEntry,
  type MonthFilter,
  type MonthLimits,
  MonthReader,
  type MonthReading,
  MOST_COUNTED,
} from '../application/month-queries';
import type { Reading } from '../application/ranked-holds';
import { conditionsOf, NEXT_HOLD } from './calendar.reader';

type Row = Omit<MonthEntry, 'id' | 'spaceIds' | 'standing'> & {
  id: string;
  spaceIds: string[];
  counts: number[];
  total: number;
  next_hold: Date | null;
};

const IS_SHORT = `start_day IS NULL AND ends_at - starts_at < interval '24 hours'`;

@Injectable()
export class PostgresMonthReader extends MonthReader {
  constructor(private readonly database: Database) {
    super();
  }

  /** All entries are counted by their first and last day, but only those that a week has room for are read. */
  async read(
    ref: WorkspaceRef,
    { starts, end }: MonthDays,
    filter: MonthFilter,
    { eachDay, title, nightsOnce }: MonthLimits,
  ): Promise<Reading<MonthReading>> {
    const parameters = new Parameters();
    const range = { from: starts[0]!, to: end };
    const conditions = conditionsOf(ref, range, { ...filter, status: 'confirmed' }, parameters);
    const isOnce = nightsOnce ? IS_SHORT : 'false';
    const days = `${parameters.add(starts)}::timestamptz[]`;
    const rows = await this.database.sql<Row>(
      `WITH found AS MATERIALIZED (
         SELECT id, starts_at, start_day IS NOT NULL AS all_day,
           greatest(width_bucket(starts_at, ${days}), 1) AS first_day,
           CASE WHEN ${isOnce} THEN width_bucket(starts_at, ${days})
             ELSE width_bucket(ends_at - interval '1 microsecond', ${days}) END AS last_day
         FROM calendar_events
         WHERE ${conditions.join(' AND ')} AND NOT (${isOnce} AND starts_at < ${parameters.add(range.from)}::timestamptz)
         ORDER BY starts_at, id LIMIT ${parameters.add(MOST_COUNTED + 1)}
       ), spans AS (
         SELECT first_day, last_day, count(*) AS entries FROM found GROUP BY first_day, last_day
       ), in_weeks AS (
         SELECT id, all_day, starts_at, greatest(first_day, week * 7 + 1) AS from_day, least(last_day, week * 7 + 7) AS to_day
         FROM found, generate_series((first_day - 1) / 7, (last_day - 1) / 7) AS week
       ), placed AS (
         SELECT id, row_number() OVER (PARTITION BY from_day ORDER BY to_day DESC, all_day DESC, starts_at, id) AS place
         FROM in_weeks
       )
       SELECT e.id, e.type, left(e.title, ${parameters.add(title)}) AS title, found.all_day AS "allDay",
         e.starts_at AS "startsAt", e.ends_at AS "endsAt", e.space_ids AS "spaceIds", e.guests,
         found.first_day - 1 AS "firstDay", found.last_day - 1 AS "lastDay", ${NEXT_HOLD} AS next_hold,
         (SELECT count(*)::int FROM found) AS total,
         ARRAY(
           SELECT (SELECT coalesce(sum(entries), 0) FROM spans WHERE day BETWEEN first_day AND last_day)::int
           FROM generate_series(1, ${parameters.add(starts.length)}::int) AS day ORDER BY day
         ) AS counts
       FROM calendar_events e JOIN found ON found.id = e.id
       WHERE e.workspace_id = $1 AND e.mode = $2
         AND e.id IN (SELECT id FROM placed WHERE place <= ${parameters.add(eachDay)})
       ORDER BY e.starts_at, e.id`,
      parameters.values,
    );
    const [first] = rows;
    return {
      nextHoldAt: first?.next_hold ?? null,
      result: {
        counts: first?.counts ?? starts.map(() => 0),
        isCut: (first?.total ?? 0) > MOST_COUNTED,
        entries: rows.map(({ counts: _, total: __, next_hold: ___, ...row }) => ({
          ...row,
          id: fromUuid('cal', row.id),
          spaceIds: row.spaceIds.map((uuid) => fromUuid('space', uuid)),
        })),
      },
    };
  }
}
