import { Injectable } from '@nestjs/common';
import { type Actor, AuditLog, Clock, NotFound, UnitOfWork, ValidationFailed, type WorkspaceRef } from 'gala';
import type { LoyaltyAccountId, LoyaltyAccountView } from '../domain/loyalty-account';
import { LoyaltyAccountRepository } from './loyalty-account-repository';

@Injectable()
export class RedeemPoints {
  constructor(
    private readonly accounts: LoyaltyAccountRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(
    ref: WorkspaceRef,
    actor: Actor,
    which: { id: LoyaltyAccountId } | { email: string },
    points: number,
  ): Promise<LoyaltyAccountView> {
    return this.unitOfWork.run(async () => {
      const account = await this.accounts.lock(ref, which);
      if (!account && 'id' in which) throw new NotFound('loyalty account');
      if (!account) throw new ValidationFailed({ field: 'email', message: 'has no points yet' });
      await this.accounts.save(account, account.redeem(points, this.clock.now()));
      await this.auditLog.append({
        workspaceId: ref.workspaceId,
        mode: ref.mode,
        actor,
        action: 'loyalty_account.points_redeemed',
        target: { id: account.id, name: account.email },
        details: { points },
      });
      return account.view();
    });
  }
}
