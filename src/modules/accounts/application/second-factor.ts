import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import {
  hashRecoveryCode,
  isRecoveryCode,
  newRecoveryCode,
  RECOVERY_CODE_COUNT,
} from '../domain/recovery-code';
import type { Visitor } from '../domain/session';
import type { User } from '../domain/user';
import { AccountRepository } from './account-repository';
import { AuthenticatorCodes, GuessLimit } from './ports';

export interface Enrolment {
  readonly secret: string;
  readonly uri: string;
}

/** An authenticator app beside the password, and the recovery codes for when it is lost. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly codes: AuthenticatorCodes,
    private readonly guesses: GuessLimit,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Refuses a wrong code, one that was used before, and too many tries. */
  async check(user: User, code: string, visitor: Visitor): Promise<void> {
    // A known browser is no excuse here: whoever tries codes has the password already.
    const attempt = { email: `second factor of ${user.email}`, address: visitor.address };
    await this.guesses.count(attempt);
    const isRight = isRecoveryCode(code)
      ? await this.accounts.useRecoveryCode(user.id, hashRecoveryCode(code))
      : await this.useAuthenticatorCode(user, code);
    if (!isRight) throw wrongCode();
    await this.guesses.forgive(attempt);
  }

  /** What the user has to put into their app. Until they confirm it, it is the same each time they come back. */
  async enrol(user: User): Promise<Enrolment> {
    const secret = await this.unitOfWork.run(async () => {
      const current = await this.accounts.lock(user.id);
      refuseSecond(current!);
      const prepared = (await this.accounts.authenticator(user.id))?.secret;
      if (prepared) return prepared;
      const fresh = this.codes.newSecret();
      await this.accounts.prepareAuthenticator(user.id, fresh);
      return fresh;
    });
    return { secret, uri: this.codes.enrolmentUri(secret, user.email) };
  }

  /** Turns the second factor on, by a code that shows that the app is set up. The recovery codes are shown this once. */
  confirm(user: User, code: string): Promise<string[]> {
    return this.unitOfWork.run(async () => {
      const current = await this.accounts.lock(user.id);
      refuseSecond(current!);
      const secret = (await this.accounts.authenticator(user.id))?.secret;
      const step = secret && this.codes.stepOf(secret, code, this.clock.now());
      if (!step) throw wrongCode();
      await this.accounts.confirmAuthenticator(user.id, step, this.clock.now());
      return this.issueRecoveryCodes(user);
    });
  }

  async renewRecoveryCodes(user: User, code: string, visitor: Visitor): Promise<string[]> {
    await this.check(user, code, visitor);
    return this.unitOfWork.run(() => this.issueRecoveryCodes(user));
  }

  async turnOff(user: User, code: string, visitor: Visitor): Promise<void> {
    await this.check(user, code, visitor);
    await this.accounts.removeAuthenticator(user.id);
  }

  recoveryCodesLeft(user: User): Promise<number> {
    return this.accounts.countRecoveryCodes(user.id);
  }

  private async useAuthenticatorCode(user: User, code: string): Promise<boolean> {
    const secret = (await this.accounts.authenticator(user.id))?.secret;
    const step = secret && this.codes.stepOf(secret, code, this.clock.now());
    return step ? this.accounts.useStep(user.id, step) : false;
  }

  private async issueRecoveryCodes(user: User): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode);
    await this.accounts.replaceRecoveryCodes(user.id, codes.map(hashRecoveryCode));
    return codes;
  }
}

function refuseSecond(user: User): void {
  if (user.hasSecondFactor)
    throw new ValidationFailed({
      field: 'code',
      message: 'is not asked for: two-factor sign-in is on already',
    });
}

function wrongCode(): ValidationFailed {
  return new ValidationFailed({
    field: 'code',
    message: 'is not right, or was used before; wait for the next one',
  });
}
