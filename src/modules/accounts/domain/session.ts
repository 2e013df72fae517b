const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const SESSION_SECONDS = 30 * 24 * 3600;
export const IDLE_MS = 14 * DAY_MS;
/** How exactly it is known when a session was used last. */
export const SEEN_EVERY_MS = 5 * MINUTE_MS;
const SECOND_FACTOR_MS = 10 * MINUTE_MS;

/** The browser that somebody signs in with, as far as it shows. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
  /** Proves that this browser was signed in with before. */
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

/** A new session; one that awaits the second factor is good for nothing else, and not for long. */
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
