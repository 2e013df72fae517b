import { ValidationFailed } from '../../../kernel/errors';
import { NotAMember } from './task-repository';

/**
 * Runs a unit of work, and refuses the request if it assigns a task to someone who isn't a member. The database notices,
 * since a member may be removed at the same moment.
 *
 * @throws ValidationFailed
 */
export async function refusingStrangers<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotAMember)) throw error;
    throw new ValidationFailed({ field: 'assigneeId', message: 'is not a member of this workspace' });
  }
}
