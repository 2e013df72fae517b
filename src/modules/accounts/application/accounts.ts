import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound, RateLimited } from '../../../kernel/errors';
import type { UserId } from '../../../kernel/ids';
import { hashSecretToken, newSecretToken } from '../../../kernel/secret-token';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { normalizePassword } from '../domain/password';
import { User } from '../domain/user';
import { AccountRepository, SessionRepository } from './account-repository';
import { GuessLimit, PasswordHasher } from './ports';

const FIRST_LINK_MS = 7 * 24 * 3600 * 1000;

/** Accounts, for other modules and the operator. */
@Injectable()
export class Accounts {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly sessions: SessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly guesses: GuessLimit,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Returns the user with that email address, or adds one without a password. */
  findOrAdd(email: string): Promise<User> {
    return this.accounts.findOrAdd(User.withEmail(email, this.clock.now()));
  }

  find(email: string): Promise<User | undefined> {
    return this.accounts.findByEmail(email);
  }

  /** Limits the emails that one person can cause: 100 invitations an hour, 5 of them to one address. */
  async refuseTooManyInvitations(sender: string, recipient: string): Promise<void> {
    if (!(await this.guesses.allowsInvitation(sender, recipient))) throw new RateLimited(3600);
  }

  /** Limits the emails to one address that anyone with an invitation link can cause. */
  async refuseTooManyMails(recipient: string): Promise<void> {
    if (!(await this.guesses.allowsMail(recipient))) throw new RateLimited(3600);
  }

  /** Includes people who have left every workspace. */
  emailsOf(ids: readonly UserId[]): Promise<Map<UserId, string>> {
    return this.accounts.emailsOf(ids);
  }

  /** Sets a password for the operator, without the old one. Ends every session. */
  async setPassword(email: string, password: string): Promise<void> {
    const user = await this.mustFind(email);
    const hash = await this.hasher.hash(normalizePassword(password));
    await this.unitOfWork.run(async () => {
      await this.accounts.setPassword(user.id, hash);
      await this.sessions.removeAll(user.id);
    });
  }

  /** Creates a link, valid for a week, that lets the user choose a password, and returns its secret. Earlier links stop working. */
  async openPasswordReset(email: string): Promise<string> {
    const user = await this.mustFind(email);
    const token = newSecretToken();
    const expiresAt = new Date(this.clock.now().getTime() + FIRST_LINK_MS);
    await this.accounts.addPasswordReset(user.id, {
      hash: hashSecretToken(token),
      expiresAt,
      isMailed: false,
    });
    return token;
  }

  /** Turns the second factor off for a user who has lost the app and the recovery codes. Ends every session, since the lost device may be signed in. */
  async removeSecondFactor(email: string): Promise<void> {
    const user = await this.mustFind(email);
    await this.unitOfWork.run(async () => {
      await this.accounts.removeAuthenticator(user.id);
      await this.sessions.removeAll(user.id);
    });
  }

  private async mustFind(email: string): Promise<User> {
    const user = await this.accounts.findByEmail(email);
    if (!user) throw new NotFound('user');
    return user;
  }
}
