import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId } from '../../../kernel/ids';
import type { TimelineEntry, TimelinePart } from '../../../kernel/timeline';
import { Database } from '../../../platform/persistence/database';
import { latestTimes, type TimelineRow, timelineRows } from '../../../platform/persistence/timeline-rows';
import { IN_WORKSPACE } from '../../../platform/persistence/workspace-key';
import type { Completer } from '../domain/task';

interface Row extends TimelineRow {
  title: string;
  assignee_id: string | null;
  completed_by: Completer;
}

const SOURCE = {
  from: 'tasks',
  where: `${IN_WORKSPACE} AND lead_id = $3 AND completed_at IS NOT NULL AND archived_at IS NULL`,
  at: 'completed_at',
  type: `'task_completed'::text`,
  columns: 'title, assignee_id, completed_by',
};

/** The completed tasks of a lead in its timeline. */
@Injectable()
export class TaskTimeline implements TimelinePart {
  readonly name = 'tasks';
  readonly scope = 'tasks:read';

  constructor(private readonly database: Database) {}

  latest(...request: Parameters<NonNullable<TimelinePart['latest']>>): Promise<Map<LeadId, Date>> {
    return latestTimes(this.database, SOURCE, request);
  }

  async read(...request: Parameters<TimelinePart['read']>): Promise<TimelineEntry[]> {
    const rows = await timelineRows<Row>(this.database, SOURCE, request);
    return rows.map(({ id, entry_at, entry_type, title, assignee_id, completed_by }) => ({
      at: entry_at,
      type: entry_type,
      id: fromUuid('task', id),
      actor: completed_by,
      summary: `Task completed: ${title}`,
      data: { title, assigneeId: assignee_id && fromUuid('user', assignee_id) },
    }));
  }
}
