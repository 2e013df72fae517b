import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId } from '../../../kernel/ids';
import type { TimelineActor, TimelineEntry, TimelinePart } from '../../../kernel/timeline';
import { Database } from '../../../platform/persistence/database';
import { latestTimes, type TimelineRow, timelineRows } from '../../../platform/persistence/timeline-rows';
import { IN_WORKSPACE } from '../../../platform/persistence/workspace-key';
import type { ProposalStatus } from '../domain/proposal';

interface Row extends TimelineRow {
  number: number;
  version: number;
  title: string;
  status: ProposalStatus;
  currency: string;
  total: string;
  accepted_by: string | null;
}

const HAPPENINGS = ['sent', 'viewed', 'accepted', 'declined', 'expired', 'withdrawn'];

/** Bounds the work: the entries of a proposal have different times, so no index has all of them in order. */
const LATEST = 1000;

const SOURCE = {
  from: `(
      SELECT id, number, version, title, status, currency, total, acceptance ->> 'name' AS accepted_by,
        ${HAPPENINGS.map((name) => `${name}_at`).join(', ')}
      FROM proposals WHERE ${IN_WORKSPACE} AND lead_id = $3 ORDER BY created_at DESC, id DESC LIMIT ${LATEST}
    ) AS latest
    CROSS JOIN LATERAL (
      VALUES ${HAPPENINGS.map((name) => `('proposal_${name}'::text, ${name}_at)`).join(', ')}
    ) AS happened (type, at)`,
  where: 'at IS NOT NULL',
  at: 'at',
  type: 'type',
  columns: 'number, version, title, status, currency, total, accepted_by',
};

/** The proposals of a lead in its timeline: an entry for each time that something happened to one. */
@Injectable()
export class ProposalTimeline implements TimelinePart {
  readonly name = 'proposals';
  readonly scope = 'proposals:read';

  constructor(private readonly database: Database) {}

  latest(...request: Parameters<NonNullable<TimelinePart['latest']>>): Promise<Map<LeadId, Date>> {
    return latestTimes(this.database, SOURCE, request);
  }

  async read(...request: Parameters<TimelinePart['read']>): Promise<TimelineEntry[]> {
    const rows = await timelineRows<Row>(this.database, SOURCE, request);
    return rows.map(({ id, entry_at, entry_type, accepted_by, total, ...data }) => {
      const happening = entry_type.replace('proposal_', '');
      return {
        at: entry_at,
        type: entry_type,
        id: fromUuid('prop', id),
        actor: actorOf(happening, accepted_by),
        summary: `Proposal ${data.number} ${happening}: ${data.title}`,
        data: { ...data, total: Number(total) },
      };
    });
  }
}

/** Who sent or withdrew a proposal isn't recorded. */
function actorOf(happening: string, acceptedBy: string | null): TimelineActor | null {
  if (happening === 'expired') return { type: 'system', id: null, name: null };
  if (happening === 'accepted') return { type: 'client', id: null, name: acceptedBy };
  return ['viewed', 'declined'].includes(happening) ? { type: 'client', id: null, name: null } : null;
}
