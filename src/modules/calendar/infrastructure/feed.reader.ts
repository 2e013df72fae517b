import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { PostgresUnitOfWork } from '../../../platform/persistence/unit-of-work';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import type { DatedEvent } from '../application/calendar-queries';
import { FeedReader, type FeedRange, MAX_FEED_EVENTS } from '../application/feed-contents';
import type { Reading } from '../application/ranked-holds';
import type { CalendarEvent } from '../domain/calendar-event';
import { CalendarEventSchema } from './calendar-event.schema';
import { LONGEST_DAYS, NEXT_HOLD, toDatedEvent } from './calendar.reader';

const PAGE_SIZE = 200;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** One part of a feed, in the feed's order. */
interface Part {
  /** @param from @param to names of parameters */
  readonly where: (from: string, to: string) => string;
  readonly order: 'ASC' | 'DESC';
  /** Where its first page begins: before or after every instant. */
  readonly start: string;
}
// Events last a year at most, so the index scan can begin a year before the range.
const began = (from: string) => `starts_at > ${from}::timestamptz - interval '${LONGEST_DAYS} days'`;
const UPCOMING: Part = {
  where: (today, to) => `ends_at > ${today} AND ${began(today)} AND starts_at < ${to}`,
  order: 'ASC',
  start: '-infinity',
};
const PAST: Part = {
  where: (from, today) =>
    `ends_at > ${from} AND ${began(from)} AND ends_at <= ${today} AND starts_at < ${today}`,
  order: 'DESC',
  start: 'infinity',
};

@Injectable()
export class PostgresFeedReader extends FeedReader {
  private readonly statements: EntityStatements<CalendarEvent>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: PostgresUnitOfWork,
  ) {
    super();
    this.statements = database.statements(CalendarEventSchema);
  }

  inSnapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.unitOfWork.snapshot(work);
  }

  /**
   * Computed from each row's count of changes. A counter for each workspace would be cheaper to read, but changes of the
   * calendar would wait for its lock.
   */
  async fingerprint(ref: WorkspaceRef, { from, today, to }: FeedRange): Promise<Reading<string>> {
    const versions = ({ where, order }: Part, [start, end]: [string, string]) => `
      (SELECT id, sequence FROM calendar_events WHERE ${IN_WORKSPACE} AND ${where(start, end)}
       ORDER BY starts_at ${order}, id ${order} LIMIT ${MAX_FEED_EVENTS + 1})`;
    const [row] = await this.database.sql<{ fingerprint: string; next_hold: Date | null }>(
      `SELECT concat_ws(' ', count(*), bit_xor(uuid_hash_extended(id, sequence)), (
         SELECT bit_xor(uuid_hash_extended(id, hashtextextended(name, 0))) FROM spaces WHERE ${IN_WORKSPACE}
       )) AS fingerprint, ${NEXT_HOLD} AS next_hold
       FROM (${versions(PAST, ['$3', '$4'])} UNION ALL ${versions(UPCOMING, ['$4', '$5'])}) AS versions`,
      [...workspaceKey(ref), from, today, to],
    );
    return { result: row!.fingerprint, nextHoldAt: row!.next_hold };
  }

  async *pages(ref: WorkspaceRef, { from, today, to }: FeedRange): AsyncIterable<readonly DatedEvent[]> {
    yield* this.pagesOf(ref, UPCOMING, [today, to]);
    yield* this.pagesOf(ref, PAST, [from, today]);
  }

  private async *pagesOf(
    ref: WorkspaceRef,
    { where, order, start }: Part,
    range: [Date, Date],
  ): AsyncIterable<readonly DatedEvent[]> {
    let after: [Date | string, string] = [start, LOWEST_ID];
    for (;;) {
      const rows = await this.database.sql<{ starts_at: Date; id: string }>(
        `${this.statements.select}
         WHERE ${IN_WORKSPACE} AND ${where('$3', '$4')}
           AND (starts_at, id) ${order === 'ASC' ? '>' : '<'} ($5, $6)
         ORDER BY starts_at ${order}, id ${order} LIMIT ${PAGE_SIZE}`,
        [...workspaceKey(ref), ...range, ...after],
      );
      if (rows.length > 0) yield rows.map((row) => toDatedEvent(this.statements.read(row)));
      const last = rows.at(-1);
      if (!last || rows.length < PAGE_SIZE) return;
      after = [last.starts_at, last.id];
    }
  }
}
