import type { UserId } from '../../../kernel/ids';
import type { Session } from '../domain/session';
import type { User } from '../domain/user';

/** An authenticator app: confirmed or still being set up. */
export interface Authenticator {
  readonly secret: string;
  /** The time step of the last used code. Codes of this and earlier steps are refused. */
  readonly lastStep: number | null;
}

/** A link that lets its user choose a password. */
export interface PasswordReset {
  readonly hash: Buffer;
  readonly expiresAt: Date;
  /** The link was only emailed, so its use proves that the user reads the mailbox. */
  readonly isMailed: boolean;
}

/** Users and their means of authentication. Email addresses are compared in the form of `foldText`. */
export abstract class AccountRepository {
  /** Returns the user with that email address, or adds `user`. Throws ValidationFailed for a look-alike of another user's address. */
  abstract findOrAdd(user: User): Promise<User>;
  abstract findByEmail(email: string): Promise<User | undefined>;
  abstract emailsOf(ids: readonly UserId[]): Promise<Map<UserId, string>>;
  /** Reads a user and locks it until the unit of work ends. */
  abstract lock(id: UserId): Promise<User | undefined>;
  abstract setPassword(id: UserId, passwordHash: string): Promise<void>;
  abstract markEmailProven(id: UserId): Promise<void>;

  abstract authenticator(id: UserId): Promise<Authenticator | undefined>;
  /** Replaces an authenticator that is being set up. It takes effect with `confirmAuthenticator`. */
  abstract prepareAuthenticator(id: UserId, secret: string): Promise<void>;
  abstract confirmAuthenticator(id: UserId, step: number, now: Date): Promise<void>;
  /** Stores the time step and returns true if it is later than the last one. Of two concurrent calls one gets true. */
  abstract useStep(id: UserId, step: number): Promise<boolean>;
  abstract removeAuthenticator(id: UserId): Promise<void>;
  abstract replaceRecoveryCodes(id: UserId, hashes: Buffer[]): Promise<void>;
  abstract countRecoveryCodes(id: UserId): Promise<number>;
  /** Removes a recovery code. Returns whether it existed. */
  abstract useRecoveryCode(id: UserId, hash: Buffer): Promise<boolean>;

  /** Replaces an earlier reset of the user. */
  abstract addPasswordReset(id: UserId, reset: PasswordReset): Promise<void>;
  abstract findPasswordReset(hash: Buffer, now: Date): Promise<{ user: User; isMailed: boolean } | undefined>;
  abstract removePasswordResets(id: UserId): Promise<void>;
}

/** Sessions, stored under the hash of the browser's secret. Expired and long unused sessions are never returned. */
export abstract class SessionRepository {
  /** Returns false, and adds nothing, if the password or second factor has changed since `user` was read. */
  abstract add(hash: Buffer, user: User, session: Session): Promise<boolean>;
  abstract find(hash: Buffer, now: Date): Promise<{ user: User; session: Session } | undefined>;
  abstract touch(hash: Buffer, now: Date): Promise<void>;
  abstract list(userId: UserId, now: Date): Promise<(Session & { hash: Buffer })[]>;
  abstract remove(hash: Buffer): Promise<void>;
  /** Removes a user's sessions, except the one to keep. */
  abstract removeAll(userId: UserId, except?: Buffer): Promise<void>;
}
