import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import { normalizePassword } from '../domain/password';
import type { Visitor } from '../domain/session';
import type { User } from '../domain/user';
import { GuessLimit, PasswordHasher } from './ports';

/** Asks someone who is signed in for their password again, before they change what signs them in: a session may be stolen. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly hasher: PasswordHasher,
    private readonly guesses: GuessLimit,
  ) {}

  /** Refuses a wrong password, and too many tries. `field` is what the form calls it. */
  async check(user: User, password: string, visitor: Visitor, field: string): Promise<void> {
    const attempt = { email: user.email, ...visitor };
    await this.guesses.count(attempt);
    if (!(await this.hasher.matches(normalizePassword(password), user.passwordHash))) {
      throw wrongPassword(field);
    }
    await this.guesses.forgive(attempt);
  }

  /** The same once the user is locked: the password that was checked may have been replaced meanwhile. */
  checkUnchanged(checked: User, current: User | undefined, field: string): void {
    if (current?.passwordHash !== checked.passwordHash) throw wrongPassword(field);
  }
}

function wrongPassword(field: string): ValidationFailed {
  return new ValidationFailed({ field, message: 'is not right' });
}
