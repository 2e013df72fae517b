import { Injectable } from '@nestjs/common';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { TimelineActor } from '../../../kernel/timeline';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { JourneyReader, type ResponseKind, type StoredJourney } from '../application/journey-queries';

interface Row {
  created_at: Date;
  started_at: Date | null;
  responded_at: Date | null;
  response_kind: ResponseKind | null;
  response_by: TimelineActor | null;
  awaiting_since: Date | null;
  won_at: Date | null;
  lost_at: Date | null;
  complete_since: Date;
  stage: string;
  entered_at: Date | null;
  stays: { stage: string; entered_at: string | null; left_at: string }[];
}

/** One statement, so that all of it is of one moment. */
const FIND = `
  SELECT created_at, started_at, responded_at, response_kind, response_by, awaiting_since, won_at, lost_at,
    stage, entered_at, (SELECT complete_since FROM lead_journeys_beginning) AS complete_since,
    (SELECT coalesce(json_agg(stays ORDER BY number), '[]') FROM (
      SELECT number, stage, entered_at, left_at FROM lead_stage_spells
      WHERE ${IN_WORKSPACE} AND lead_id = $3 ORDER BY number DESC LIMIT $4
    ) AS stays) AS stays
  FROM lead_journeys WHERE ${IN_WORKSPACE} AND lead_id = $3`;

@Injectable()
export class PostgresJourneyReader extends JourneyReader {
  constructor(private readonly database: Database) {
    super();
  }

  async find(ref: WorkspaceRef, leadId: LeadId, atMost: number): Promise<StoredJourney | undefined> {
    const [row] = await this.database.sql<Row>(FIND, [...workspaceKey(ref, leadId), atMost - 1]);
    if (!row) return undefined;
    const { responded_at: at, response_kind: kind, response_by: by } = row;
    const ended = row.stays.map(({ stage, entered_at, left_at }) => ({
      stage,
      enteredAt: entered_at === null ? null : new Date(entered_at),
      leftAt: new Date(left_at),
    }));
    return {
      createdAt: row.created_at,
      startedAt: row.started_at ?? row.created_at,
      response: at && kind && { at, kind, by },
      awaitingSince: row.awaiting_since,
      wonAt: row.won_at,
      lostAt: row.lost_at,
      stays: [...ended, { stage: row.stage, enteredAt: row.entered_at, leftAt: null }],
      recordedSince: row.complete_since,
    };
  }
}
