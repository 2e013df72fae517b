import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { Accounts } from '../../accounts';
import { Workspace, type WorkspaceInput } from '../domain/workspace';
import { MemberRepository } from './member-repository';
import { WorkspaceRepository } from './workspace-repository';

interface NewWorkspace extends WorkspaceInput {
  ownerEmail: string;
}

@Injectable()
export class CreateWorkspace {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly members: MemberRepository,
    private readonly accounts: Accounts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ ownerEmail, ...settings }: NewWorkspace): Promise<Workspace> {
    return this.unitOfWork.run(async () => {
      const workspace = Workspace.open(settings, this.clock.now());
      await this.workspaces.add(workspace);
      const owner = await this.accounts.findOrAdd(ownerEmail);
      await this.members.add(workspace.id, owner.id, 'owner');
      return workspace;
    });
  }
}
