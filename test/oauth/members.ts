import type { Person } from '../../src/kernel/actor';
import type { WorkspaceId } from '../../src/kernel/ids';
import { Accounts } from '../../src/modules/accounts';
import type { Role } from '../../src/kernel/role';
import { AcceptInvitation, InviteMember } from '../../src/modules/workspaces';
import type { TestGala } from '../support/start-gala';
import { ADDRESS, person } from '../workspaces/people';

/** Someone who joins a workspace by an invitation of its owner. */
export async function memberOfWorkspace(
  gala: TestGala,
  owner: { email: string; workspaceId: WorkspaceId },
  email: string,
  role: Role,
): Promise<Person> {
  const get = <Type>(token: new (...args: never[]) => Type) => gala.app.get<Type>(token, { strict: false });
  const inviter = await person(gala, owner.email);
  const { token } = await get(InviteMember).execute(owner.workspaceId, inviter, { email, role });
  await get(AcceptInvitation).execute(token, await get(Accounts).findOrAdd(email), ADDRESS);
  return person(gala, email);
}
