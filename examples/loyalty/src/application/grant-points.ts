import { Injectable } from '@nestjs/common';
import { type Actor, AuditLog, Clock, foldText, UnitOfWork, type WorkspaceRef } from 'gala';
import { LoyaltyAccount } from '../domain/loyalty-account';
import { LoyaltyAccountRepository } from './loyalty-account-repository';

export interface Grant {
  email: string;
  points: number;
}

@Injectable()
export class GrantPoints {
  constructor(
    private readonly accounts: LoyaltyAccountRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** All or none. */
  execute(ref: WorkspaceRef, actor: Actor, grants: readonly Grant[]): Promise<void> {
    // Two that name the same clients lock them in the same order, and so don't wait for each other.
    const inOrder = grants.toSorted((one, other) => (foldText(one.email) < foldText(other.email) ? -1 : 1));
    return this.unitOfWork.run(async () => {
      for (const grant of inOrder) await this.grant(ref, actor, grant);
    });
  }

  private async grant(ref: WorkspaceRef, actor: Actor, { email, points }: Grant): Promise<void> {
    const now = this.clock.now();
    await this.accounts.addIfNew(LoyaltyAccount.open(ref, email, now));
    const account = (await this.accounts.lock(ref, { email }))!;
    await this.accounts.save(account, account.grant(points, now));
    await this.auditLog.append({
      workspaceId: ref.workspaceId,
      mode: ref.mode,
      actor,
      action: 'loyalty_account.points_granted',
      target: { id: account.id, name: account.email },
      details: { points },
    });
  }
}
