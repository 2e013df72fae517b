import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { isCurrency, isTimeZone, User, Workspace } from '../domain/workspace';
import { WorkspaceRepository } from './workspace-repository';

export interface NewWorkspace {
  name: string;
  ownerEmail: string;
  timeZone: string;
  currency: string;
}

@Injectable()
export class CreateWorkspace {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ ownerEmail, ...fields }: NewWorkspace): Promise<Workspace> {
    if (!isTimeZone(fields.timeZone)) {
      throw new ValidationFailed({
        field: 'timeZone',
        message: 'must be a tz database name such as Europe/Madrid',
      });
    }
    if (!isCurrency(fields.currency)) {
      throw new ValidationFailed({ field: 'currency', message: 'must be an ISO 4217 code such as EUR' });
    }
    return this.unitOfWork.run(async () => {
      const workspace = Workspace.open(fields, this.clock.now());
      await this.workspaces.add(workspace);
      const owner = await this.workspaces.findOrAddUser(User.invite(ownerEmail, this.clock.now()));
      await this.workspaces.addMember(workspace, owner, 'owner');
      return workspace;
    });
  }
}
