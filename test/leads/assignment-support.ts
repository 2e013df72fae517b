import type { Person } from '../../src/kernel/actor';
import type { Mode } from '../../src/kernel/principal';
import { ChangeAssignment } from '../../src/modules/leads/application/change-assignment';
import type { AssignmentPolicy } from '../../src/modules/leads/domain/assignment';
import { newEmail } from '../support/people';
import type { TestGala, TestWorkspace } from '../support/start-gala';
import { memberOf, ownerOf } from '../workspaces/people';

export async function newMembers(gala: TestGala, { id }: TestWorkspace, count: number): Promise<Person[]> {
  const members: Person[] = [];
  while (members.length < count) members.push(await memberOf(gala, id, newEmail(), 'member'));
  return members;
}

/** Chooses who gets new leads. */
export async function assignTo(
  gala: TestGala,
  workspace: TestWorkspace,
  policy: AssignmentPolicy,
  members: readonly Person[],
  mode: Mode = 'live',
): Promise<void> {
  const ref = { workspaceId: workspace.id, mode };
  const input = { policy, members: members.map(({ id }) => id) };
  await gala.app.get(ChangeAssignment, { strict: false }).execute(ref, await ownerOf(gala), input);
}

/** How many leads each of the members was given. */
export function spreadOf(members: readonly Person[], owners: readonly (string | null)[]): number[] {
  return members.map(({ id }) => owners.filter((owner) => owner === id).length);
}
