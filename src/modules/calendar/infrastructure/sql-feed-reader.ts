import { Injectable } from '@nestjs/common';
import { toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import type { DatedEvent } from '../application/calendar-queries';
import { FeedReader, type FeedRange, MAX_FEED_EVENTS } from '../application/feed-contents';
import { EVENT_COLUMNS, type EventRow, LONGEST_DAYS, toDatedEvent } from './event-rows';

const PAGE_SIZE = 200;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** One part of a feed, in the feed's order. Parameters 1 and 2 are the workspace and the mode. */
interface Part {
  /** @param from @param to names of parameters */
  readonly where: (from: string, to: string) => string;
  readonly order: 'ASC' | 'DESC';
  /** Where its first page begins: before every instant, or after it. */
  readonly start: string;
}
// That nothing lasts longer than a year keeps the index from being read from the beginning of time.
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
export class SqlFeedReader extends FeedReader {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: TypeOrmUnitOfWork,
  ) {
    super();
  }

  inSnapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.unitOfWork.snapshot(work);
  }

  /**
   * Of the rows' own counts of changes: two changes at once queue for the row, so each gets a number of its own. A counter
   * for each workspace would be cheaper to read, but all who plan anything would queue for that.
   */
  async fingerprint({ workspaceId, mode }: WorkspaceRef, { from, today, to }: FeedRange): Promise<string> {
    const versions = ({ where, order }: Part, [start, end]: [string, string]) => `
      (SELECT id, sequence FROM calendar_events WHERE workspace_id = $1 AND mode = $2 AND ${where(start, end)}
       ORDER BY starts_at ${order}, id ${order} LIMIT ${MAX_FEED_EVENTS + 1})`;
    const [row] = await this.database.query<{ fingerprint: string }>({
      text: `
        SELECT concat_ws(' ', count(*), bit_xor(uuid_hash_extended(id, sequence)), (
          SELECT bit_xor(uuid_hash_extended(id, hashtextextended(name, 0))) FROM spaces
          WHERE workspace_id = $1 AND mode = $2
        )) AS fingerprint
        FROM (${versions(PAST, ['$3', '$4'])} UNION ALL ${versions(UPCOMING, ['$4', '$5'])}) AS events`,
      values: [toUuid(workspaceId), mode, from, today, to],
    });
    return row!.fingerprint;
  }

  async *pages(ref: WorkspaceRef, { from, today, to }: FeedRange): AsyncIterable<readonly DatedEvent[]> {
    yield* this.pagesOf(ref, UPCOMING, [today, to]);
    yield* this.pagesOf(ref, PAST, [from, today]);
  }

  private async *pagesOf(
    { workspaceId, mode }: WorkspaceRef,
    { where, order, start }: Part,
    range: [Date, Date],
  ): AsyncIterable<readonly DatedEvent[]> {
    let after: [Date | string, string] = [start, LOWEST_ID];
    for (;;) {
      const rows = await this.database.query<EventRow>({
        text: `
          SELECT ${EVENT_COLUMNS} FROM calendar_events
          WHERE workspace_id = $1 AND mode = $2 AND ${where('$3', '$4')}
            AND (starts_at, id) ${order === 'ASC' ? '>' : '<'} ($5, $6)
          ORDER BY starts_at ${order}, id ${order} LIMIT ${PAGE_SIZE}`,
        values: [toUuid(workspaceId), mode, ...range, ...after],
      });
      if (rows.length > 0) yield rows.map(toDatedEvent);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE_SIZE) return;
      after = [last.starts_at, last.id];
    }
  }
}
