import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId } from '../../../kernel/ids';
import type { TimelineEntry, TimelinePart } from '../../../kernel/timeline';
import { Database } from '../../../platform/persistence/database';
import { latestTimes, type TimelineRow, timelineRows } from '../../../platform/persistence/timeline-rows';
import { IN_WORKSPACE } from '../../../platform/persistence/workspace-key';
import type { ActivityType, Author, Direction } from '../domain/activity';

interface Row extends TimelineRow {
  type: ActivityType;
  direction: Direction | null;
  text: string;
  external_id: string | null;
  author: Author;
}

const SOURCE = {
  from: 'activities',
  where: `${IN_WORKSPACE} AND lead_id = $3`,
  at: 'at',
  type: `'activity'::text`,
  columns: 'type, direction, left(text, 1000) AS text, external_id, author',
};

const NAMES: Record<ActivityType, string> = {
  note: 'Note',
  call: 'Call',
  email: 'Email',
  meeting: 'Meeting',
  other: 'Activity',
};
const DIRECTION_WORDS: Record<Direction, string> = { in: ' from the lead', out: ' to the lead' };

/** The activities of a lead in its timeline. */
@Injectable()
export class ActivityTimeline implements TimelinePart {
  readonly name = 'activities';
  readonly scope = 'leads:read';

  constructor(private readonly database: Database) {}

  latest(...request: Parameters<NonNullable<TimelinePart['latest']>>): Promise<Map<LeadId, Date>> {
    return latestTimes(this.database, SOURCE, request);
  }

  async read(...request: Parameters<TimelinePart['read']>): Promise<TimelineEntry[]> {
    const rows = await timelineRows<Row>(this.database, SOURCE, request);
    return rows.map(({ id, entry_at, entry_type, type, direction, text, external_id, author }) => ({
      at: entry_at,
      type: entry_type,
      id: fromUuid('act', id),
      actor: author,
      summary: NAMES[type] + (direction ? DIRECTION_WORDS[direction] : ''),
      data: { type, direction, text, externalId: external_id },
    }));
  }
}
