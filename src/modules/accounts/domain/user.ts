import { newId, type UserId } from '../../../kernel/ids';

type UserFields = Omit<User, 'hasPassword' | 'hasSecondFactor'>;

/** Someone who signs in to the settings area. Which workspaces they may enter is told by memberships. */
export class User {
  readonly id!: UserId;
  readonly email!: string;
  readonly createdAt!: Date;
  /** Null until they have chosen a password. */
  readonly passwordHash!: string | null;
  /** When their authenticator app was confirmed; null without a second factor. */
  readonly secondFactorSince!: Date | null;
  /** Whether a link that was mailed there was used. Until then anyone may have opened the account. */
  readonly emailIsProven!: boolean;

  private constructor(fields: UserFields) {
    Object.assign(this, fields);
  }

  /** As stored. */
  static from(fields: UserFields): User {
    return new User(fields);
  }

  static withEmail(email: string, now: Date): User {
    return new User({
      id: newId('user'),
      email,
      createdAt: now,
      passwordHash: null,
      secondFactorSince: null,
      emailIsProven: false,
    });
  }

  get hasPassword(): boolean {
    return this.passwordHash !== null;
  }

  get hasSecondFactor(): boolean {
    return this.secondFactorSince !== null;
  }
}
