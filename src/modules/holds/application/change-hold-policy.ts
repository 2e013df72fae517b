import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import type { WorkspaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { changedPolicy, type HoldPolicy } from '../domain/hold-policy';
import { dataOf, type HoldAction } from './hold-actions';
import { HoldRepository, type StoredPolicy } from './hold-repository';

/** Changes the rules for holds of a workspace and mode. Holds keep the deadlines that they have. */
@Injectable()
export class ChangeHoldPolicy {
  constructor(
    private readonly holds: HoldRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute(ref: WorkspaceRef, actor: Actor, changes: Partial<HoldPolicy>): Promise<StoredPolicy> {
    return this.unitOfWork.run(async () => {
      const policy = await this.holds.openQueue(ref);
      const changed = changedPolicy(policy, changes);
      if (JSON.stringify(changed) === JSON.stringify(policy)) return policy;
      const saved = { ...policy, ...changed, revision: policy.revision + 1 };
      await this.holds.savePolicy(ref, saved);
      const action: HoldAction = 'hold_policy.updated';
      const { workspaceId, mode } = ref;
      await this.auditLog.append({ workspaceId, mode, actor, action, target: dataOf(mode) });
      return saved;
    });
  }

  async copyToLive(workspaceId: WorkspaceId, actor: Actor): Promise<void> {
    const changes = { ...(await this.holds.policy({ workspaceId, mode: 'test' })), revision: undefined };
    await this.execute({ workspaceId, mode: 'live' }, actor, changes);
  }
}
