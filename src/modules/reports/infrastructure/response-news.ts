import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { fromUuid, toUuid } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';
import type { TimelineActor } from '../../../kernel/timeline';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { Statement } from '../../../platform/persistence/statement';
import { type News, ResponseNews } from '../application/announce-responses';
import type { ResponseKind } from '../application/journey-queries';

interface Row {
  workspace_id: string;
  mode: Mode;
  lead_id: string;
  started_at: Date;
  minutes: number | null;
  responded_at: Date | null;
  response_kind: ResponseKind | null;
  response_by: TimelineActor | null;
}

const JOURNEY = 'j.workspace_id, j.mode, j.lead_id, j.responded_at, j.response_kind, j.response_by';
/** Messages may come in, and transactions commit, that much later than the time that they carry. */
const LATE = `interval '1 day'`;
/** How far apart the writes of `advance` are, for a workspace where nothing happens. */
const STEP = `interval '10 minutes'`;
const LOCKED = 'FOR NO KEY UPDATE OF j SKIP LOCKED';
const THESE = `FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS told (workspace_id, mode, lead_id)
  WHERE (j.workspace_id, j.mode, j.lead_id) = (told.workspace_id, told.mode, told.lead_id)`;

@Injectable()
export class PostgresResponseNews extends ResponseNews {
  constructor(private readonly database: Database) {
    super();
  }

  /** For each target a range of the index of waiting leads, whatever the planner knows of the small table of targets. */
  lockOverdue(now: Date, atMost: number): Promise<News[]> {
    return this.all(
      `SELECT late.*, t.minutes FROM response_targets t CROSS JOIN LATERAL (
         SELECT ${JOURNEY}, j.awaiting_since AS started_at FROM lead_journeys j
         WHERE j.workspace_id = t.workspace_id AND j.mode = t.mode
           AND j.awaiting_since > greatest(t.counts_from, t.checked_until - ${LATE})
           AND j.awaiting_since <= $1::timestamptz - t.minutes * interval '1 minute'
           AND NOT j.is_archived AND NOT j.is_excluded AND j.responded_at IS NULL AND j.overdue_told_at IS NULL
         ORDER BY j.awaiting_since LIMIT $2 ${LOCKED}
       ) AS late LIMIT $2`,
      [now, atMost],
    );
  }

  /** Locks what is to be told, too: otherwise it is told again by another instance that read it before it was deleted. */
  lockResponded(atMost: number): Promise<News[]> {
    return this.all(
      `SELECT ${JOURNEY}, coalesce(j.started_at, j.created_at) AS started_at, t.minutes
       FROM first_responses_to_tell f JOIN lead_journeys j USING (workspace_id, mode, lead_id)
       LEFT JOIN response_targets t USING (workspace_id, mode)
       LIMIT $1 FOR UPDATE OF f SKIP LOCKED ${LOCKED}`,
      [atMost],
    );
  }

  saveOverdue(news: readonly News[], now: Date, events: readonly DomainEvent[]): Promise<void> {
    return this.save(`UPDATE lead_journeys j SET overdue_told_at = $4 ${THESE}`, news, now, events);
  }

  /** A response that was taken back before it was told of is told of when there is another. */
  async saveResponded(news: readonly News[], now: Date, events: readonly DomainEvent[]): Promise<void> {
    await this.database.sql(
      `DELETE FROM first_responses_to_tell j USING ${THESE.replace('FROM ', '')}`,
      keysOf(news),
    );
    const text = `UPDATE lead_journeys j SET response_told_at = $4 ${THESE} AND j.responded_at IS NOT NULL`;
    await this.save(text, news, now, events);
  }

  async advance(now: Date): Promise<void> {
    await this.database.sql(
      `UPDATE response_targets SET checked_until = $1::timestamptz - minutes * interval '1 minute'
       WHERE checked_until < $1::timestamptz - minutes * interval '1 minute' - ${STEP}`,
      [now],
    );
  }

  private async save(
    text: string,
    news: readonly News[],
    now: Date,
    events: readonly DomainEvent[],
  ): Promise<void> {
    const change: Statement = { text, values: [...keysOf(news), now] };
    // Each number of events is a text of its own, which isn't worth preparing.
    await this.database.query({ ...withEvents(change, events), plannedAnew: true });
  }

  private async all(text: string, values: unknown[]): Promise<News[]> {
    const rows = await this.database.sql<Row>(text, values);
    return rows.map((row) => {
      const { responded_at: at, response_kind: kind, response_by: by } = row;
      return {
        ref: { workspaceId: fromUuid('ws', row.workspace_id), mode: row.mode },
        leadId: fromUuid('lead', row.lead_id),
        startedAt: row.started_at,
        minutes: row.minutes,
        response: at && kind && { at, kind, by },
      };
    });
  }
}

function keysOf(news: readonly News[]): [string[], Mode[], string[]] {
  return [
    news.map(({ ref }) => toUuid(ref.workspaceId)),
    news.map(({ ref }) => ref.mode),
    news.map(({ leadId }) => toUuid(leadId)),
  ];
}
