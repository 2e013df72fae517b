import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import type { WorkspaceId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { copyPipeline } from '../domain/copy-pipeline';
import { LostReason } from '../domain/lost-reason';
import { LostReasonRepository } from './lost-reason-repository';
import { MAX_REASONS, refuseTooMany } from './manage-lost-reasons';
import { PipelineRepository } from './pipeline-repository';

const ALL_REASONS = {
  page: 1,
  limit: MAX_REASONS,
  sort: { field: 'name', descending: false },
  fingerprint: '',
} as const;

/** Copies the stages, automations and lost reasons of test data to live data. */
@Injectable()
export class CopyToLive {
  constructor(
    private readonly pipelines: PipelineRepository,
    private readonly reasons: LostReasonRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed if live data has no room for them, or a stage with another outcome */
  execute(workspaceId: WorkspaceId, actor: Actor): Promise<void> {
    const [test, live] = [
      { workspaceId, mode: 'test' },
      { workspaceId, mode: 'live' },
    ] as const;
    return this.unitOfWork.run(async () => {
      const pipeline = await this.pipelines.lock(live);
      const events = copyPipeline(await this.pipelines.find(test), pipeline, this.clock.now());
      await this.pipelines.save(pipeline, events);
      const { items } = await this.reasons.list(test, { archived: 'false' }, ALL_REASONS);
      for (const { name } of items) {
        const { active, namesake } = await this.reasons.lockAll(live, name);
        if (namesake) continue;
        refuseTooMany(active);
        const { reason, events: told } = LostReason.open(live, name, this.clock.now());
        await this.reasons.add(reason, told);
      }
      await this.auditLog.append({
        ...live,
        actor,
        action: 'stage.copied',
        target: { id: null, name: 'Stages' },
      });
    });
  }
}
