import { Injectable } from '@nestjs/common';
import {
  Database,
  fromUuid,
  IN_WORKSPACE,
  type TimelineEntry,
  type TimelinePart,
  type TimelineRow,
  timelineRows,
  type TimelineSource,
} from 'gala';

interface Row extends TimelineRow {
  points: number;
}

const SOURCE: TimelineSource = {
  from: '(SELECT lead_id AS id, * FROM loyalty_bookings) AS bookings',
  where: `${IN_WORKSPACE} AND lead_id = $3`,
  at: 'earned_at',
  type: `'loyalty_points_earned'::text`,
  columns: 'points',
};

/** The points that a booking earned, in the timeline of its lead. */
@Injectable()
export class BookingTimeline implements TimelinePart {
  readonly name = 'loyalty';
  readonly scope = 'loyalty:read';

  constructor(private readonly database: Database) {}

  async read(...request: Parameters<TimelinePart['read']>): Promise<TimelineEntry[]> {
    const rows = await timelineRows<Row>(this.database, SOURCE, request);
    return rows.map(({ id, entry_at, entry_type, points }) => ({
      at: entry_at,
      type: entry_type,
      id: fromUuid('lead', id),
      actor: null,
      summary: `The client earned ${points} points`,
      data: { points },
    }));
  }
}
