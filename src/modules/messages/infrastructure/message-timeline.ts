import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId } from '../../../kernel/ids';
import type { TimelineEntry, TimelinePart } from '../../../kernel/timeline';
import { Database } from '../../../platform/persistence/database';
import { latestTimes, type TimelineRow, timelineRows } from '../../../platform/persistence/timeline-rows';
import { IN_WORKSPACE } from '../../../platform/persistence/workspace-key';
import type { Direction, Origin, Status } from '../domain/message';

interface Row extends TimelineRow {
  direction: Direction;
  channel: Origin;
  type: string;
  text: string | null;
  template: string | null;
  status: Status;
}

const SOURCE = {
  from: 'messages',
  where: `${IN_WORKSPACE} AND lead_id = $3`,
  at: 'created_at',
  type: `'message'::text`,
  columns: `direction, channel, type, left(text, 1000) AS text, template ->> 'name' AS template, status`,
};

const CHANNEL_NAMES: Record<Origin, string> = { whatsapp: 'WhatsApp', simulator: 'Test', web: 'Web' };

/** The messages of a lead in its timeline, by the time at which they were queued or received. */
@Injectable()
export class MessageTimeline implements TimelinePart {
  readonly name = 'messages';
  readonly scope = 'messages:read';

  constructor(private readonly database: Database) {}

  latest(...request: Parameters<NonNullable<TimelinePart['latest']>>): Promise<Map<LeadId, Date>> {
    return latestTimes(this.database, SOURCE, request);
  }

  async read(...request: Parameters<TimelinePart['read']>): Promise<TimelineEntry[]> {
    const rows = await timelineRows<Row>(this.database, SOURCE, request);
    return rows.map(({ id, entry_at, entry_type, ...data }) => {
      const isInbound = data.direction === 'inbound';
      return {
        at: entry_at,
        type: entry_type,
        id: fromUuid('msg', id),
        actor: isInbound ? { type: 'client', id: null, name: null } : null,
        summary: `${CHANNEL_NAMES[data.channel]} message ${isInbound ? 'from' : 'to'} the lead`,
        data,
      };
    });
  }
}
