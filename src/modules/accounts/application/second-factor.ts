import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import { type Mail, Mailer } from '../../../kernel/mailer';
import { hashSecretToken, isSameSecret } from '../../../kernel/secret-token';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import {
  hashRecoveryCode,
  isRecoveryCode,
  newRecoveryCode,
  RECOVERY_CODE_COUNT,
} from '../domain/recovery-code';
import type { Visitor } from '../domain/session';
import type { User } from '../domain/user';
import { secondFactorMail } from './account-mails';
import { AccountRepository, SessionRepository } from './account-repository';
import { PasswordCheck } from './password-check';
import { AuthenticatorCodes, GuessLimit } from './ports';

export interface Enrolment {
  readonly secret: string;
  readonly uri: string;
}

/** What shows that a change of the second factor is its owner's wish: a session alone may be stolen. */
export interface Proof {
  readonly password: string;
  /** Of the app, or a recovery code. */
  readonly code: string;
}

/** An authenticator app beside the password, and the recovery codes for when it is lost. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly sessions: SessionRepository,
    private readonly codes: AuthenticatorCodes,
    private readonly guesses: GuessLimit,
    private readonly passwordCheck: PasswordCheck,
    private readonly mailer: Mailer,
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

  /**
   * What the user has to put into their app, for someone who knows the password. Until they confirm it, it is the same each time
   * they come back.
   */
  async enrol(user: User, password: string, visitor: Visitor): Promise<Enrolment> {
    await this.passwordCheck.check(user, password, visitor, 'password');
    const secret = await this.unitOfWork.run(async () => {
      const current = await this.accounts.lock(user.id);
      this.passwordCheck.checkUnchanged(user, current, 'password');
      refuseSecond(current!);
      const prepared = (await this.accounts.authenticator(user.id))?.secret;
      if (prepared) return prepared;
      const fresh = this.codes.newSecret();
      await this.accounts.prepareAuthenticator(user.id, fresh);
      return fresh;
    });
    return this.enrolmentOf(user, secret);
  }

  /** The same for someone who was shown the secret; undefined when it isn't the one that is being set up. */
  async continueEnrolment(user: User, secret: string): Promise<Enrolment | undefined> {
    const prepared = user.hasSecondFactor ? undefined : await this.accounts.authenticator(user.id);
    return prepared && isSameSecret(secret, prepared.secret) ? this.enrolmentOf(user, secret) : undefined;
  }

  /**
   * Turns the second factor on, by a code that shows that the app is set up, and signs the user out of every other browser. The
   * recovery codes are shown this once.
   */
  async confirm(
    user: User,
    { secret, code }: { secret: string; code: string },
    browser: string,
  ): Promise<string[]> {
    return this.unitOfWork.run(async () => {
      const current = await this.accounts.lock(user.id);
      refuseSecond(current!);
      const prepared = (await this.accounts.authenticator(user.id))?.secret;
      const isShown = prepared !== undefined && isSameSecret(secret, prepared);
      const step = isShown && this.codes.stepOf(prepared, code, this.clock.now());
      if (!step) throw wrongCode();
      await this.accounts.confirmAuthenticator(user.id, step, this.clock.now());
      await this.endOtherSessions(user, browser);
      this.tellAfterCommit(secondFactorMail(user, 'turned on'));
      return this.issueRecoveryCodes(user);
    });
  }

  /** Signs the user out of every other browser. */
  async renewRecoveryCodes(user: User, proof: Proof, visitor: Visitor, browser: string): Promise<string[]> {
    return this.withProof(user, proof, visitor, async () => {
      await this.endOtherSessions(user, browser);
      this.tellAfterCommit(secondFactorMail(user, 'given new recovery codes'));
      return this.issueRecoveryCodes(user);
    });
  }

  /** Signs the user out of every other browser. */
  async turnOff(user: User, proof: Proof, visitor: Visitor, browser: string): Promise<void> {
    await this.withProof(user, proof, visitor, async () => {
      await this.accounts.removeAuthenticator(user.id);
      await this.endOtherSessions(user, browser);
      this.tellAfterCommit(secondFactorMail(user, 'turned off'));
    });
  }

  recoveryCodesLeft(user: User): Promise<number> {
    return this.accounts.countRecoveryCodes(user.id);
  }

  private async withProof<Result>(
    user: User,
    { password, code }: Proof,
    visitor: Visitor,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.passwordCheck.check(user, password, visitor, 'password');
    await this.check(user, code, visitor);
    return this.unitOfWork.run(async () => {
      this.passwordCheck.checkUnchanged(user, await this.accounts.lock(user.id), 'password');
      return work();
    });
  }

  private async endOtherSessions(user: User, browser: string): Promise<void> {
    await this.sessions.removeAll(user.id, hashSecretToken(browser));
  }

  private tellAfterCommit(mail: Mail): void {
    this.unitOfWork.afterCommit(() => this.mailer.post(mail));
  }

  private enrolmentOf(user: User, secret: string): Enrolment {
    return { secret, uri: this.codes.enrolmentUri(secret, user.email) };
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
