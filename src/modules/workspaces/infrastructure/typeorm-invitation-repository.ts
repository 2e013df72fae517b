import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, LessThanOrEqual, MoreThan } from 'typeorm';
import type { InvitationId, UserId, WorkspaceId } from '../../../kernel/ids';
import { foldText } from '../../../kernel/text';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import { InvitationRepository } from '../application/invitation-repository';
import { Invitation } from '../domain/invitation';

@Injectable()
export class TypeOrmInvitationRepository extends InvitationRepository {
  constructor(private readonly unitOfWork: TypeOrmUnitOfWork) {
    super();
  }

  async add(invitation: Invitation): Promise<void> {
    await this.unitOfWork.manager.insert(Invitation, invitation);
  }

  async find(workspaceId: WorkspaceId, id: InvitationId, now: Date): Promise<Invitation | undefined> {
    return this.findOne({ workspaceId, id, expiresAt: MoreThan(now) });
  }

  async findByEmail(workspaceId: WorkspaceId, email: string, now: Date): Promise<Invitation | undefined> {
    return this.findOne({ workspaceId, emailKey: foldText(email), expiresAt: MoreThan(now) });
  }

  async findByHash(hash: Buffer, now: Date): Promise<Invitation | undefined> {
    return this.findOne({ hash, expiresAt: MoreThan(now) });
  }

  count(workspaceId: WorkspaceId, now: Date): Promise<number> {
    return this.unitOfWork.manager.countBy(Invitation, { workspaceId, expiresAt: MoreThan(now) });
  }

  async remove(workspaceId: WorkspaceId, id: InvitationId): Promise<void> {
    await this.unitOfWork.manager.delete(Invitation, { workspaceId, id });
  }

  async removeIssuedBy(workspaceId: WorkspaceId, userId: UserId): Promise<void> {
    await this.unitOfWork.manager.delete(Invitation, { workspaceId, invitedBy: userId });
  }

  async removeExpired(workspaceId: WorkspaceId, now: Date): Promise<void> {
    await this.unitOfWork.manager.delete(Invitation, { workspaceId, expiresAt: LessThanOrEqual(now) });
  }

  private async findOne(where: FindOptionsWhere<Invitation>): Promise<Invitation | undefined> {
    return (await this.unitOfWork.manager.findOneBy(Invitation, where)) ?? undefined;
  }
}
