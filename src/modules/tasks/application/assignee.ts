import { ValidationFailed } from '../../../kernel/errors';
import type { UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Members } from '../../workspaces';

/** @throws ValidationFailed unless the task is to be nobody's or a member's, who then stays one until the unit of work ends */
export async function refuseStranger(
  members: Members,
  { workspaceId }: WorkspaceRef,
  assigneeId: UserId | null | undefined,
): Promise<void> {
  if (!assigneeId || (await members.hold(workspaceId, assigneeId))) return;
  throw new ValidationFailed({ field: 'assigneeId', message: 'is not a member of this workspace' });
}
