import { createHash } from 'node:crypto';
import { PasswordHasher } from '../../src/modules/accounts/application/ports';
import { Argon2PasswordHasher } from '../../src/modules/accounts/infrastructure/argon2-password-hasher';

/** The real one, with a count of how often it compared. */
export class CountingPasswordHasher extends Argon2PasswordHasher {
  comparisons = 0;

  override matches(password: string, hash: string | null): Promise<boolean> {
    this.comparisons++;
    return super.matches(password, hash);
  }
}

/** For tests of hundreds of guesses. */
export class FastPasswordHasher extends PasswordHasher {
  hash(password: string): Promise<string> {
    return Promise.resolve(createHash('sha256').update(password).digest('hex'));
  }

  async matches(password: string, hash: string | null): Promise<boolean> {
    return (await this.hash(password)) === hash;
  }
}
