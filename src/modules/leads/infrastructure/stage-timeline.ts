import { Injectable } from '@nestjs/common';
import type { LeadId } from '../../../kernel/ids';
import type { TimelineEntry, TimelinePart, TimelinePosition } from '../../../kernel/timeline';
import { Database } from '../../../platform/persistence/database';
import { latestTimes } from '../../../platform/persistence/timeline-rows';
import { IN_WORKSPACE } from '../../../platform/persistence/workspace-key';
import { PipelineRepository } from '../application/pipeline-repository';
import { readStageChanges, type StageChange } from './stage-history';

const TYPE = 'stage_changed';
const SOURCE = { from: 'lead_stage_changes', where: `${IN_WORKSPACE} AND lead_id = $3`, at: 'at' };
/** Numbers are padded, so that they are in the same order as texts. */
const DIGITS = 19;
const LAST_NUMBER = '9223372036854775807';

/** The changes of a lead's stage in its timeline. */
@Injectable()
export class StageTimeline implements TimelinePart {
  readonly name = 'stages';
  readonly scope = 'leads:read';

  constructor(
    private readonly database: Database,
    private readonly pipelines: PipelineRepository,
  ) {}

  latest(...request: Parameters<NonNullable<TimelinePart['latest']>>): Promise<Map<LeadId, Date>> {
    return latestTimes(this.database, SOURCE, request);
  }

  async read(...[ref, leadId, after, limit]: Parameters<TimelinePart['read']>): Promise<TimelineEntry[]> {
    const changes = await readStageChanges(this.database, ref, leadId, limit, after && before(after));
    if (changes.length === 0) return [];
    const stages = (await this.pipelines.find(ref)).views();
    const nameOf = (key: string) => stages.find((stage) => stage.key === key)?.name ?? key;
    return changes.map(({ at, number, actor, from, to, lostReasonId, lostNote }) => ({
      at,
      type: TYPE,
      id: number.padStart(DIGITS, '0'),
      actor,
      summary: `Stage changed from ${nameOf(from)} to ${nameOf(to)}`,
      data: { from, to, lostReasonId, lostNote },
    }));
  }
}

/** Of entries of the same time, those with a later type come first. */
function before({ at, type, id }: TimelinePosition): Pick<StageChange, 'at' | 'number'> {
  if (type !== TYPE) return { at, number: type > TYPE ? LAST_NUMBER : '0' };
  const isNumber = id.length === DIGITS && /^\d+$/.test(id) && id <= LAST_NUMBER;
  return { at, number: isNumber ? id : '0' };
}
