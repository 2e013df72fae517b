/** Turns passwords into what may be stored. */
export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;
  /** Without a hash it takes as long and answers false, so that time doesn't tell who has an account. */
  abstract matches(password: string, hash: string | null): Promise<boolean>;
}

/** Time-based one-time codes of authenticator apps (RFC 6238). */
export abstract class AuthenticatorCodes {
  /** A new secret in base32, as people may have to type it. */
  abstract newSecret(): string;
  /** What an app reads from a QR code. */
  abstract enrolmentUri(secret: string, email: string): string;
  /** The time step that the code belongs to; undefined when it isn't one of the last, this or the next half minute. */
  abstract stepOf(secret: string, code: string, now: Date): number | undefined;
}

export interface Attempt {
  readonly email: string;
  readonly address: string;
  readonly knownBrowser?: string;
}

/** Slows down guessing, without giving anyone the means to lock someone else out for good. */
export abstract class GuessLimit {
  /** Counts before the guess is looked at, so that guesses made at once count too. Throws RateLimited. */
  abstract count(attempt: Attempt): Promise<void>;
  /** Takes the count back, for a guess that was right. */
  abstract forgive(attempt: Attempt): Promise<void>;
  /** Says whether that person may be sent another mail that anyone can ask for. */
  abstract allowsMail(email: string): Promise<boolean>;
  /** Says whether `sender` may have another invitation sent, to that address. */
  abstract allowsInvitation(sender: string, recipient: string): Promise<boolean>;
  /** What a browser keeps to be known by, once its owner has signed in with that address. */
  abstract markOf(email: string): string;
}
