import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, LessThanOrEqual, MoreThan, Raw } from 'typeorm';
import type { InvitationId, UserId, WorkspaceId } from '../../../kernel/ids';
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
    const sameEmail = Raw((column) => `lower(${column}) = lower(:email)`, { email });
    return this.findOne({ workspaceId, email: sameEmail, expiresAt: MoreThan(now) });
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
