import { ValidationFailed } from '../../../kernel/errors';
import type { UserId } from '../../../kernel/ids';

/**
 * Whom new leads are given to:
 *
 * - `none`: nobody.
 * - `fixed`: one member.
 * - `round_robin`: the chosen members in turn, each time whoever was given one least recently.
 *
 * A lead is given to nobody while all chosen members are paused.
 */
export const ASSIGNMENT_POLICIES = ['none', 'fixed', 'round_robin'] as const;
export type AssignmentPolicy = (typeof ASSIGNMENT_POLICIES)[number];

export const MAX_ASSIGNEES = 100;

/** How a workspace assigns new leads in one mode. */
export interface Assignment {
  readonly policy: AssignmentPolicy;
  /** The chosen members; one for `fixed`. Kept with `none`, for when it is turned on again. */
  readonly members: readonly UserId[];
}

export const NO_ASSIGNMENT: Assignment = { policy: 'none', members: [] };

/**
 * The assignment with each member once.
 *
 * @throws ValidationFailed `members`
 */
export function checkedAssignment({ policy, members }: Assignment): Assignment {
  const distinct = [...new Set(members)];
  const problem = memberProblem(policy, distinct.length);
  if (problem) throw new ValidationFailed({ field: 'members', message: problem });
  return { policy, members: distinct };
}

function memberProblem(policy: AssignmentPolicy, count: number): string | undefined {
  if (count > MAX_ASSIGNEES) return `must be at most ${MAX_ASSIGNEES} members`;
  if (policy === 'fixed' && count !== 1) return 'must be exactly one member who gets all new leads';
  return policy === 'round_robin' && count === 0 ? 'must be at least one member' : undefined;
}
