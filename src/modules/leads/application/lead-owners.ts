import { ValidationFailed } from '../../../kernel/errors';
import type { UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Assignment } from '../domain/assignment';
import type { Turns } from '../domain/turns';

export function noMember(): ValidationFailed {
  return new ValidationFailed({
    field: 'ownerId',
    message: 'there is no such member: GET /v1/members lists them',
  });
}

/** A port: the members whom new leads are given to, and whose turn it is. */
export abstract class LeadOwners {
  /** Whether new leads are assigned, as of half a second ago: most workspaces don't, and pay nothing for it. */
  abstract assigns(ref: WorkspaceRef): Promise<boolean>;
  /** Whose turn it is, who is then held. The next call waits until the unit of work ends. Null when it is nobody's. */
  abstract next(ref: WorkspaceRef): Promise<UserId | null>;
  /** The turns of members, who are all held. The next call waits until the unit of work ends. Undefined if leads aren't assigned. */
  abstract lockTurns(ref: WorkspaceRef): Promise<Turns | undefined>;
  /** Writes the turns that were taken. */
  abstract saveTurns(ref: WorkspaceRef, turns: Turns): Promise<void>;
  abstract assignment(ref: WorkspaceRef): Promise<Assignment>;
  /**
   * Members who were chosen before keep their place in turn.
   *
   * @returns false, and changes nothing, unless all are members who stay
   */
  abstract assign(ref: WorkspaceRef, assignment: Assignment): Promise<boolean>;
}
