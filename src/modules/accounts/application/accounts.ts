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

/** What other modules and the operator do with people's accounts. */
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

  /** The user with that e-mail address; a new one without a password when there is none. */
  findOrAdd(email: string): Promise<User> {
    return this.accounts.findOrAdd(User.withEmail(email, this.clock.now()));
  }

  find(email: string): Promise<User | undefined> {
    return this.accounts.findByEmail(email);
  }

  /** Keeps people from having mail sent to others without end: 100 invitations an hour, 5 to one address. */
  async refuseTooManyInvitations(sender: string, recipient: string): Promise<void> {
    if (!(await this.guesses.allowsInvitation(sender, recipient))) throw new RateLimited(3600);
  }

  /** Keeps anyone who has a link of an invitation from having mail sent to its address without end. */
  async refuseTooManyMails(recipient: string): Promise<void> {
    if (!(await this.guesses.allowsMail(recipient))) throw new RateLimited(3600);
  }

  /** Of people who may have left every workspace since. */
  emailsOf(ids: readonly UserId[]): Promise<Map<UserId, string>> {
    return this.accounts.emailsOf(ids);
  }

  /** By the operator, who doesn't ask for the old one. Ends every session. */
  async setPassword(email: string, password: string): Promise<void> {
    const user = await this.mustFind(email);
    const hash = await this.hasher.hash(normalizePassword(password));
    await this.unitOfWork.run(async () => {
      await this.accounts.setPassword(user.id, hash);
      await this.sessions.removeAll(user.id);
    });
  }

  /** The secret of a link with which the user chooses a password within a week. The one before stops working. */
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

  /** For someone who has lost both their authenticator app and their recovery codes. Ends every session: the app's device may be signed in. */
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
