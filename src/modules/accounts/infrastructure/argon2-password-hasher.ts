import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { PasswordHasher } from '../application/ports';

/** argon2id with 19 MiB, two passes and one lane, the minimum of OWASP's Password Storage Cheat Sheet. */
const OPTIONS = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

@Injectable()
export class Argon2PasswordHasher extends PasswordHasher {
  /** The hash of a random password, to compare with when there is no user. */
  private decoy?: Promise<string>;

  hash(password: string): Promise<string> {
    return hash(password, OPTIONS);
  }

  async matches(password: string, passwordHash: string | null): Promise<boolean> {
    this.decoy ??= this.hash('no password is empty, and none is this');
    const decoy = await this.decoy;
    const matches = await verify(passwordHash ?? decoy, password);
    return matches && passwordHash !== null;
  }
}
