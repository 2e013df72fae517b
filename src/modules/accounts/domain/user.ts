import { newId, type UserId } from '../../../kernel/ids';

type UserFields = Omit<User, 'hasPassword' | 'hasSecondFactor'>;

/** A person who signs in to the settings area. Memberships decide which workspaces they may enter. */
export class User {
  readonly id!: UserId;
  readonly email!: string;
  readonly createdAt!: Date;
  /** Null until they have chosen a password. */
  readonly passwordHash!: string | null;
  /** When the authenticator app was confirmed; null without a second factor. */
  readonly secondFactorSince!: Date | null;
  /** Whether an emailed link was used. Until then anyone may have opened the account. */
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
