import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import { hashSecretToken, newSecretToken } from '../../../kernel/secret-token';
import { normalizePassword } from '../domain/password';
import { startSession, type Visitor } from '../domain/session';
import type { User } from '../domain/user';
import { AccountRepository, SessionRepository } from './account-repository';
import { GuessLimit, PasswordHasher } from './ports';
import { SecondFactor } from './second-factor';

export interface SignedIn {
  /** The browser's new secret, against session fixation. */
  readonly secret: string;
  readonly awaitsSecondFactor: boolean;
  /** The mark of a known browser; set once it is signed in. */
  readonly browserMark?: string;
}

@Injectable()
export class SignIn {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly sessions: SessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly secondFactor: SecondFactor,
    private readonly guesses: GuessLimit,
    private readonly clock: Clock,
  ) {}

  /** An unknown address gets the same answer, in the same time, as a wrong password. */
  async withPassword(email: string, password: string, visitor: Visitor): Promise<SignedIn> {
    const attempt = { email, ...visitor };
    await this.guesses.count(attempt);
    const user = await this.accounts.findByEmail(email);
    const matches = await this.hasher.matches(normalizePassword(password), user?.passwordHash ?? null);
    if (!user || !matches) throw wrongPassword();
    await this.guesses.forgive(attempt);
    return this.start(user, visitor, user.hasSecondFactor);
  }

  /** Completes a sign-in of `withPassword`. Undefined if there is none or it has expired. */
  async withCode(pendingSecret: string, code: string, visitor: Visitor): Promise<SignedIn | undefined> {
    const hash = hashSecretToken(pendingSecret);
    const pending = await this.sessions.find(hash, this.clock.now());
    if (!pending?.session.awaitsSecondFactor) return undefined;
    await this.secondFactor.check(pending.user, code, visitor);
    await this.sessions.remove(hash);
    return this.start(pending.user, visitor, false);
  }

  /** Signs in a user who has just been authenticated in another way. */
  async start(user: User, visitor: Visitor, awaitsSecondFactor: boolean): Promise<SignedIn> {
    const secret = newSecretToken();
    const session = startSession(visitor, awaitsSecondFactor, this.clock.now());
    if (!(await this.sessions.add(hashSecretToken(secret), user, session))) throw wrongPassword();
    return {
      secret,
      awaitsSecondFactor,
      ...(!awaitsSecondFactor && { browserMark: this.guesses.markOf(user.email) }),
    };
  }
}

function wrongPassword(): ValidationFailed {
  return new ValidationFailed({ field: 'password', message: 'That email and password don’t match.' });
}
