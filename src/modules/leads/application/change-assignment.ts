import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { waitForExpiry } from '../../../kernel/short-lived-cache';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { type AuditActionWords, AuditLog } from '../../audit-log';
import { type Assignment, checkedAssignment } from '../domain/assignment';
import { LeadOwners } from './lead-owners';

export const ASSIGNMENT_ACTIONS = {
  'lead_assignment.changed': 'Changed who gets new leads',
} as const satisfies AuditActionWords;

/** Chooses whom new leads are given to. */
@Injectable()
export class ChangeAssignment {
  constructor(
    private readonly owners: LeadOwners,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  get(ref: WorkspaceRef): Promise<Assignment> {
    return this.owners.assignment(ref);
  }

  /** Once this resolves, no instance goes by the former assignment. */
  execute(ref: WorkspaceRef, actor: Person, given: Assignment): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { workspaceId, mode } = ref;
      const assignment = checkedAssignment(given);
      if (!(await this.owners.assign(ref, assignment))) {
        throw new ValidationFailed({ field: 'members', message: 'must be members of the workspace' });
      }
      const action: keyof typeof ASSIGNMENT_ACTIONS = 'lead_assignment.changed';
      const { policy, members } = assignment;
      const target = { id: workspaceId, name: 'New leads' };
      await this.auditLog.append({ workspaceId, mode, actor, action, target, details: { policy, members } });
      this.unitOfWork.afterCommit(waitForExpiry);
    });
  }
}
