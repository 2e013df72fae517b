import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import { MailQueue } from '../../../kernel/mail-queue';
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

/** The proof that the account's owner is changing the second factor. A session may be stolen, so it isn't enough. */
export interface Proof {
  readonly password: string;
  /** A code of the app, or a recovery code. */
  readonly code: string;
}

/** Sign-in with an authenticator app in addition to the password, and recovery codes for a lost app. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly sessions: SessionRepository,
    private readonly codes: AuthenticatorCodes,
    private readonly guesses: GuessLimit,
    private readonly passwordCheck: PasswordCheck,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Throws for a wrong or used code, and for too many attempts. */
  async check(user: User, code: string, visitor: Visitor): Promise<void> {
    // Known browsers get no higher limit here, since an attacker who guesses codes already has the password.
    const attempt = { email: `second factor of ${user.email}`, address: visitor.address };
    await this.guesses.count(attempt);
    const isRight = isRecoveryCode(code)
      ? await this.accounts.useRecoveryCode(user.id, hashRecoveryCode(code))
      : await this.useAuthenticatorCode(user, code);
    if (!isRight) throw wrongCode();
    await this.guesses.forgive(attempt);
  }

  /** The secret for the user's app. It stays the same until the user confirms it. */
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

  /** The enrolment of a secret that was shown before; undefined if another one is being set up by now. */
  async continueEnrolment(user: User, secret: string): Promise<Enrolment | undefined> {
    const prepared = user.hasSecondFactor ? undefined : await this.accounts.authenticator(user.id);
    return prepared && isSameSecret(secret, prepared.secret) ? this.enrolmentOf(user, secret) : undefined;
  }

  /** Turns the second factor on and signs the user out of all other browsers. Returns the recovery codes, which are never shown again. */
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
      await this.mails.add(secondFactorMail(user, 'turned on'));
      return this.issueRecoveryCodes(user);
    });
  }

  /** Signs the user out of every other browser. */
  async renewRecoveryCodes(user: User, proof: Proof, visitor: Visitor, browser: string): Promise<string[]> {
    return this.withProof(user, proof, visitor, async () => {
      await this.endOtherSessions(user, browser);
      await this.mails.add(secondFactorMail(user, 'given new recovery codes'));
      return this.issueRecoveryCodes(user);
    });
  }

  /** Signs the user out of every other browser. */
  async turnOff(user: User, proof: Proof, visitor: Visitor, browser: string): Promise<void> {
    await this.withProof(user, proof, visitor, async () => {
      await this.accounts.removeAuthenticator(user.id);
      await this.endOtherSessions(user, browser);
      await this.mails.add(secondFactorMail(user, 'turned off'));
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
      message: 'is not needed: two-factor sign-in is already on',
    });
}

function wrongCode(): ValidationFailed {
  return new ValidationFailed({
    field: 'code',
    message: 'is incorrect or was already used. Wait for the next code',
  });
}
