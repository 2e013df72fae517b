/** Hashes passwords for storage. */
export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;
  /** Without a hash it takes as long and returns false, so that timing doesn't reveal who has an account. */
  abstract matches(password: string, hash: string | null): Promise<boolean>;
}

/** Time-based one-time codes of authenticator apps (RFC 6238). */
export abstract class AuthenticatorCodes {
  /** A new secret in base32, which people can type. */
  abstract newSecret(): string;
  /** The URI in the QR code for an authenticator app. */
  abstract enrolmentUri(secret: string, email: string): string;
  /** The time step of a code; undefined unless it belongs to the previous, current or next half minute. */
  abstract stepOf(secret: string, code: string, now: Date): number | undefined;
}

export interface Attempt {
  readonly email: string;
  readonly address: string;
  readonly knownBrowser?: string;
}

/** Limits guesses, without letting anyone lock someone else out permanently. */
export abstract class GuessLimit {
  /** Counts a guess before it is checked, so that concurrent guesses count too. Throws RateLimited. */
  abstract count(attempt: Attempt): Promise<void>;
  /** Removes the count of a right guess. */
  abstract forgive(attempt: Attempt): Promise<void>;
  /** Whether the person may get another email that anyone can request. */
  abstract allowsMail(email: string): Promise<boolean>;
  /** Whether `sender` may send another invitation to the address. */
  abstract allowsInvitation(sender: string, recipient: string): Promise<boolean>;
  /** The mark that a browser keeps once its owner has signed in with that address. */
  abstract markOf(email: string): string;
}
