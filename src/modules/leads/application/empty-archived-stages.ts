import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { WorkspaceId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { Members } from '../../workspaces';
import type { LeadFields } from '../domain/lead';
import { LeadPolicies } from './lead-policies';
import { LeadRepository } from './lead-repository';
import { PipelineRepository, type StageMove } from './pipeline-repository';
import { StageEntry } from './stage-entry';

/** How many leads a transaction moves. */
const BATCH = 500;

/**
 * Moves the leads of archived stages to where they belong now. A batch moves with its events or not at all, so each lead moves
 * once, however often an instance is killed; another one goes on with what is left. Nobody enters an archived stage, so it is
 * empty when no lead is left.
 */
@Injectable()
export class EmptyArchivedStages {
  /** Workspaces take turns, so that none waits for all leads of another one. */
  private lastWorkspace?: WorkspaceId;

  constructor(
    private readonly pipelines: PipelineRepository,
    private readonly leads: LeadRepository,
    private readonly members: Members,
    private readonly policies: LeadPolicies,
    private readonly entry: StageEntry,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Moves one batch. Returns how many leads it moved, or 1 when it ended a move: 0 means that there is nothing to do now. */
  execute(): Promise<number> {
    return this.unitOfWork.run(async () => {
      const move = await this.pipelines.claimMove(this.lastWorkspace);
      if (!move) return 0;
      this.lastWorkspace = move.ref.workspaceId;
      const moved = await this.moveSome(move);
      return moved || Number(await this.pipelines.endMove(move, this.clock.now()));
    });
  }

  private async moveSome({ ref, from, to }: StageMove): Promise<number> {
    const leads = await this.leads.lockSomeAt(ref, from, BATCH);
    if (leads.length === 0) return 0;
    const entered = await this.entry.enter(ref, { stage: to });
    for (const lead of leads) {
      const about = { lead: lead.view(), action: 'advance' } as const;
      const changes: Partial<LeadFields> = await this.policies.beforeFact(ref, about, { stage: to });
      // A policy can't hold the move up by naming someone who is no member.
      if (changes.ownerId && !(await this.members.hold(ref.workspaceId, changes.ownerId)))
        delete changes.ownerId;
      await this.leads.save(ref, lead, lead.moveTo(to, this.clock.now(), changes, entered));
    }
    return leads.length;
  }
}
