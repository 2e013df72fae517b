import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import { normalizePassword } from '../domain/password';
import type { Visitor } from '../domain/session';
import type { User } from '../domain/user';
import { GuessLimit, PasswordHasher } from './ports';

/** Verifies the password of a signed-in user before they change how they sign in, since a session may be stolen. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly hasher: PasswordHasher,
    private readonly guesses: GuessLimit,
  ) {}

  /** Throws for a wrong password and for too many attempts. `field` is the form's name for the password. */
  async check(user: User, password: string, visitor: Visitor, field: string): Promise<void> {
    const attempt = { email: user.email, ...visitor };
    await this.guesses.count(attempt);
    if (!(await this.hasher.matches(normalizePassword(password), user.passwordHash))) {
      throw wrongPassword(field);
    }
    await this.guesses.forgive(attempt);
  }

  /** Repeats the check under the user's lock, since the password may have been replaced in between. */
  checkUnchanged(checked: User, current: User | undefined, field: string): void {
    if (current?.passwordHash !== checked.passwordHash) throw wrongPassword(field);
  }
}

function wrongPassword(field: string): ValidationFailed {
  return new ValidationFailed({ field, message: 'is incorrect' });
}
