const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const SESSION_SECONDS = 30 * 24 * 3600;
export const IDLE_MS = 14 * DAY_MS;
/** The precision of a session's last use. */
export const SEEN_EVERY_MS = 5 * MINUTE_MS;
const SECOND_FACTOR_MS = 10 * MINUTE_MS;

/** The browser of a sign-in. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
  /** The mark of a browser that was signed in before. */
  readonly knownBrowser?: string;
}

export interface Session {
  readonly awaitsSecondFactor: boolean;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** A new session. While it awaits the second factor it admits to nothing else, and it expires soon. */
export function startSession(visitor: Visitor, awaitsSecondFactor: boolean, now: Date): Session {
  const lifetime = awaitsSecondFactor ? SECOND_FACTOR_MS : SESSION_SECONDS * 1000;
  return {
    awaitsSecondFactor,
    address: visitor.address,
    userAgent: visitor.userAgent,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + lifetime),
  };
}
