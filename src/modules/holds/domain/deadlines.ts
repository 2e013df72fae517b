import { ValidationFailed } from '../../../kernel/errors';
import type { Mode } from '../../../kernel/principal';
import { parseInstant } from '../../../kernel/time';
import { addDays, DAY_MS, startOfDay } from '../../../kernel/time-zone';
import { HOUR_MS, type HoldPolicy } from './hold-policy';

const SHORTEST_CHALLENGE_MS: Record<Mode, number> = { live: HOUR_MS, test: 1000 };
const LONGEST_CHALLENGE_DAYS = 30;

interface Term {
  readonly placedAt: Date;
  readonly startsAt: Date;
  readonly now: Date;
}

/** The expiry of a hold that names none. */
export function defaultExpiry({ placedAt, startsAt }: Omit<Term, 'now'>, policy: HoldPolicy): Date {
  return new Date(Math.min(placedAt.getTime() + policy.defaultDays * DAY_MS, startsAt.getTime()));
}

/**
 * Reads an expiry: an RFC 3339 instant, or a day, which means its end in that time zone.
 *
 * @throws ValidationFailed for one that is past, after the start, or too long after the placing
 */
export function expiryOf(written: string, timeZone: string, term: Term, policy: HoldPolicy): Date {
  const { placedAt, startsAt, now } = term;
  const expiresAt = parseInstant(written) ?? startOfDay(timeZone, addDays(written, 1));
  if (expiresAt <= now) refuse('expiresAt', 'is in the past');
  if (expiresAt > startsAt) refuse('expiresAt', `must not be after startsAt, ${startsAt.toISOString()}`);
  const latest = new Date(placedAt.getTime() + policy.maxTotalDays * DAY_MS);
  if (expiresAt > latest) {
    refuse(
      'expiresAt',
      `must be at most ${policy.maxTotalDays} days after the placing: by ${latest.toISOString()}`,
    );
  }
  return expiresAt;
}

/**
 * The deadline of a challenge.
 *
 * @param rivals the holds ahead
 * @throws ValidationFailed for one that is too soon, too late, or after the start of one of them
 */
export function challengeDeadline(
  written: Date | undefined,
  mode: Mode,
  rivals: readonly { readonly id: string; readonly startsAt: Date }[],
  policy: HoldPolicy,
  now: Date,
): Date {
  const deadline = written ?? new Date(now.getTime() + policy.challengeHours * HOUR_MS);
  const ms = deadline.getTime() - now.getTime();
  if (ms < SHORTEST_CHALLENGE_MS[mode]) {
    refuse('deadline', `must be at least ${mode === 'live' ? 'an hour' : 'a second'} from now`);
  }
  if (ms > LONGEST_CHALLENGE_DAYS * DAY_MS) {
    refuse('deadline', `must be at most ${LONGEST_CHALLENGE_DAYS} days from now`);
  }
  const started = rivals.find(({ startsAt }) => startsAt < deadline);
  if (started) {
    refuse('deadline', `must not be after the start of ${started.id}, ${started.startsAt.toISOString()}`);
  }
  return deadline;
}

function refuse(field: string, message: string): never {
  throw new ValidationFailed({ field, message });
}
