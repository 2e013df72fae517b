import { ValidationFailed } from '../../../kernel/errors';
import { DAY_MS } from '../../../kernel/time-zone';

export const HOUR_MS = DAY_MS / 24;

/** The rules of a workspace and mode for its holds. */
export interface HoldPolicy {
  /** How long a hold lasts that is placed without `expiresAt`. */
  readonly defaultDays: number;
  /** How long a hold may last from its placing, extensions included. */
  readonly maxTotalDays: number;
  /** The time to answer a challenge that names no deadline. */
  readonly challengeHours: number;
  /** The time to answer of a hold that becomes first while it is challenged, or by its own challenge. */
  readonly winnerHours: number;
  /** How long before a deadline it is announced. */
  readonly remindHours: number;
  /** The longest queue. */
  readonly maxRank: number;
  /** Whether the holds of a lead end when it is lost. */
  readonly releaseOnLost: boolean;
}

export const DEFAULT_POLICY: HoldPolicy = {
  defaultDays: 14,
  maxTotalDays: 60,
  challengeHours: 48,
  winnerHours: 24,
  remindHours: 24,
  maxRank: 5,
  releaseOnLost: true,
};

/** The least and the most of each number of a policy. */
export const POLICY_BOUNDS = {
  defaultDays: [1, 366],
  maxTotalDays: [1, 1096],
  challengeHours: [1, 720],
  winnerHours: [1, 720],
  remindHours: [0, 720],
  maxRank: [1, 20],
} as const satisfies Record<Exclude<keyof HoldPolicy, 'releaseOnLost'>, readonly [number, number]>;

/** @throws ValidationFailed when holds would last longer by default than they may */
export function changedPolicy(policy: HoldPolicy, changes: Partial<HoldPolicy>): HoldPolicy {
  const given = Object.entries<unknown>(changes).filter(([, value]) => value !== undefined);
  const changed = { ...policy, ...(Object.fromEntries(given) as Partial<HoldPolicy>) };
  if (changed.defaultDays > changed.maxTotalDays) {
    throw new ValidationFailed({
      field: changes.defaultDays === undefined ? 'maxTotalDays' : 'defaultDays',
      message: `defaultDays must be at most maxTotalDays: they would be ${changed.defaultDays} and ${changed.maxTotalDays}`,
    });
  }
  return changed;
}
