import type { UserId } from '../../../kernel/ids';
import type { Session } from '../domain/session';
import type { User } from '../domain/user';

/** An authenticator app: confirmed or still being set up. */
export interface Authenticator {
  readonly secret: string;
  /** The step of the last code that was used; none before it is taken again. */
  readonly lastStep: number | null;
}

/** A link with which its user chooses a password. */
export interface PasswordReset {
  readonly hash: Buffer;
  readonly expiresAt: Date;
  /** Sent to the user's address, and shown to nobody. */
  readonly isMailed: boolean;
}

/** People, and what they prove who they are with. E-mail addresses are compared as `foldText` has them. */
export abstract class AccountRepository {
  /** The user with that e-mail address; `user` is added when there is none. Throws ValidationFailed for a look-alike of another user's address. */
  abstract findOrAdd(user: User): Promise<User>;
  abstract findByEmail(email: string): Promise<User | undefined>;
  abstract emailsOf(ids: readonly UserId[]): Promise<Map<UserId, string>>;
  /** Reads a user and keeps others from changing them until the unit of work ends. */
  abstract lock(id: UserId): Promise<User | undefined>;
  abstract setPassword(id: UserId, passwordHash: string): Promise<void>;
  abstract markEmailProven(id: UserId): Promise<void>;

  abstract authenticator(id: UserId): Promise<Authenticator | undefined>;
  /** Replaces one that is being set up; it counts from `confirmAuthenticator` on. */
  abstract prepareAuthenticator(id: UserId, secret: string): Promise<void>;
  abstract confirmAuthenticator(id: UserId, step: number, now: Date): Promise<void>;
  /** Says whether the step is later than the last one used, and notes it: of two who come at once, one is told so. */
  abstract useStep(id: UserId, step: number): Promise<boolean>;
  abstract removeAuthenticator(id: UserId): Promise<void>;
  abstract replaceRecoveryCodes(id: UserId, hashes: Buffer[]): Promise<void>;
  abstract countRecoveryCodes(id: UserId): Promise<number>;
  /** Says whether the code was there, and removes it. */
  abstract useRecoveryCode(id: UserId, hash: Buffer): Promise<boolean>;

  /** Replaces a reset that the user asked for before. */
  abstract addPasswordReset(id: UserId, reset: PasswordReset): Promise<void>;
  abstract findPasswordReset(hash: Buffer, now: Date): Promise<{ user: User; isMailed: boolean } | undefined>;
  abstract removePasswordResets(id: UserId): Promise<void>;
}

/** Sessions, each under the hash of a browser's secret. Expired and long unused ones count as gone. */
export abstract class SessionRepository {
  /** Says whether it was added: not when the user's password or second factor was changed since `user` was read. */
  abstract add(hash: Buffer, user: User, session: Session): Promise<boolean>;
  abstract find(hash: Buffer, now: Date): Promise<{ user: User; session: Session } | undefined>;
  abstract touch(hash: Buffer, now: Date): Promise<void>;
  abstract list(userId: UserId, now: Date): Promise<(Session & { hash: Buffer })[]>;
  abstract remove(hash: Buffer): Promise<void>;
  /** All of a user's, but for the one that is to stay. */
  abstract removeAll(userId: UserId, except?: Buffer): Promise<void>;
}
