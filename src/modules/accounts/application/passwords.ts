import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import { MailQueue } from '../../../kernel/mail-queue';
import { Mailer } from '../../../kernel/mailer';
import { hashSecretToken, newSecretToken } from '../../../kernel/secret-token';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { normalizePassword, passwordProblem } from '../domain/password';
import type { Visitor } from '../domain/session';
import type { User } from '../domain/user';
import { passwordChangedMail, resetMail } from './account-mails';
import { AccountRepository, SessionRepository } from './account-repository';
import { PasswordCheck } from './password-check';
import { GuessLimit, PasswordHasher } from './ports';

const RESET_MS = 3600 * 1000;

export interface ResetOffer {
  readonly user: User;
  /** Nobody had proved before that they read the mailbox. */
  readonly provesEmail: boolean;
  readonly removesSecondFactor: boolean;
}

@Injectable()
export class Passwords {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly sessions: SessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly passwordCheck: PasswordCheck,
    private readonly guesses: GuessLimit,
    private readonly mailer: Mailer,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Throws for an unacceptable new password. `field` is the form's name for it. */
  check(password: string, email: string, field: string): void {
    const message = passwordProblem(password, email);
    if (message) throw new ValidationFailed({ field, message });
  }

  /** Signs the user out of every other browser, and notifies them by email. */
  async change(
    user: User,
    { current, next }: { current: string; next: string },
    visitor: Visitor,
    secret: string,
  ): Promise<void> {
    await this.passwordCheck.check(user, current, visitor, 'current');
    this.check(next, user.email, 'next');
    await this.store(user, next, hashSecretToken(secret));
  }

  /**
   * Sets the first password of an invited person. Undefined if they already have one. `provesEmail`: they used a link that was
   * only emailed.
   */
  async chooseFirst(
    email: string,
    password: string,
    { provesEmail }: { provesEmail: boolean },
  ): Promise<User | undefined> {
    const user = await this.accounts.findByEmail(email);
    if (!user || user.hasPassword) return undefined;
    this.check(password, email, 'password');
    const hash = await this.hasher.hash(normalizePassword(password));
    return this.unitOfWork.run(async () => {
      const current = await this.accounts.lock(user.id);
      if (!current || current.hasPassword) return undefined;
      await this.accounts.setPassword(user.id, hash);
      if (provesEmail) await this.accounts.markEmailProven(user.id);
      return this.accounts.findByEmail(user.email);
    });
  }

  /** Emails a link if the user exists. Neither the answer nor its timing reveals whether they do. */
  async requestReset(email: string, { address }: Visitor, linkTo: (token: string) => string): Promise<void> {
    await this.guesses.count({ email: `reset of ${email}`, address });
    // If mail can't arrive, a new link would only invalidate one that the operator may have handed over.
    if (!this.mailer.canSend || !(await this.guesses.allowsMail(email))) return;
    const token = newSecretToken();
    const user = await this.accounts.findByEmail(email);
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + RESET_MS);
    await this.unitOfWork.run(async () => {
      if (user) {
        const reset = { hash: hashSecretToken(token), expiresAt, isMailed: true };
        await this.accounts.addPasswordReset(user.id, reset);
      }
      // A mail that has expired takes as long to add as another one, and is neither stored nor sent.
      await this.mails.add(resetMail(user ?? { email }, linkTo(token)), {
        expiresAt: user ? expiresAt : now,
      });
    });
  }

  /** The reset of a link; undefined if it was used or replaced, or has expired. */
  async resetFor(token: string): Promise<ResetOffer | undefined> {
    const found = await this.accounts.findPasswordReset(hashSecretToken(token), this.clock.now());
    if (!found) return undefined;
    const provesEmail = found.isMailed && !found.user.emailIsProven;
    return { user: found.user, provesEmail, removesSecondFactor: provesEmail && found.user.hasSecondFactor };
  }

  /**
   * Works once, and signs the user out everywhere. The second factor stays, unless nobody had proved before that they read the
   * mailbox: someone else may have opened the account in the user's name and set it up.
   */
  async reset(token: string, password: string): Promise<void> {
    const { user } = (await this.resetFor(token)) ?? deadLink();
    this.check(password, user.email, 'password');
    const hash = await this.hasher.hash(normalizePassword(password));
    await this.unitOfWork.run(async () => {
      await this.accounts.lock(user.id);
      const { provesEmail, removesSecondFactor } = (await this.resetFor(token)) ?? deadLink();
      await this.accounts.setPassword(user.id, hash);
      if (removesSecondFactor) await this.accounts.removeAuthenticator(user.id);
      if (provesEmail) await this.accounts.markEmailProven(user.id);
      await this.accounts.removePasswordResets(user.id);
      await this.sessions.removeAll(user.id);
      if (user.hasPassword)
        await this.mails.add(passwordChangedMail(user, { removedSecondFactor: removesSecondFactor }));
    });
  }

  private async store(user: User, password: string, keep: Buffer): Promise<void> {
    const hash = await this.hasher.hash(normalizePassword(password));
    await this.unitOfWork.run(async () => {
      const current = await this.accounts.lock(user.id);
      this.passwordCheck.checkUnchanged(user, current, 'current');
      await this.accounts.setPassword(user.id, hash);
      await this.accounts.removePasswordResets(user.id);
      await this.sessions.removeAll(user.id, keep);
      await this.mails.add(passwordChangedMail(user));
    });
  }
}

function deadLink(): never {
  throw new NotFound('link: it was used, or has expired');
}
