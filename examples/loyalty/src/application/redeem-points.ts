import { Injectable } from '@nestjs/common';
import {
  type Actor,
  AuditLog,
  Clock,
  Forbidden,
  NotFound,
  type Precondition,
  UnitOfWork,
  ValidationFailed,
  type WorkspaceRef,
} from 'gala';
import type { LoyaltyAccountId, LoyaltyAccountView } from '../domain/loyalty-account';
import { isTill, MOST_AT_A_TILL } from '../domain/till';
import { LoyaltyAccountRepository } from './loyalty-account-repository';

interface Redemption {
  points: number;
  /** The number of the receipt that they were redeemed on. */
  receipt?: string;
  /** The account as it was seen by whoever redeems. */
  seen?: Precondition;
}

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
    { points, receipt, seen }: Redemption,
  ): Promise<LoyaltyAccountView> {
    if (isTill(actor) && points > MOST_AT_A_TILL) {
      throw new Forbidden(`A till redeems at most ${MOST_AT_A_TILL} points at a time.`);
    }
    return this.unitOfWork.run(async () => {
      const account = await this.accounts.lock(ref, which);
      if (!account && 'id' in which) throw new NotFound('loyalty account');
      if (!account) throw new ValidationFailed({ field: 'email', message: 'has no points yet' });
      seen?.check(account.view());
      await this.accounts.save(account, account.redeem(points, this.clock.now()));
      await this.auditLog.append({
        workspaceId: ref.workspaceId,
        mode: ref.mode,
        actor,
        action: 'loyalty_account.points_redeemed',
        target: { id: account.id, name: account.email },
        details: { points, receipt: receipt ?? null },
      });
      return account.view();
    });
  }
}
