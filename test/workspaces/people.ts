import type { Person } from '../../src/kernel/actor';
import type { WorkspaceId } from '../../src/kernel/ids';
import { Accounts } from '../../src/modules/accounts';
import type { Role } from '../../src/kernel/role';
import { AcceptInvitation, InviteMember } from '../../src/modules/workspaces';
import type { TestGala } from '../support/start-gala';

export const ADDRESS = '203.0.113.7';

/** Someone who has an account, as they are when signed in. */
export async function person({ app }: TestGala, email: string): Promise<Person> {
  const { id, email: name } = await app.get(Accounts, { strict: false }).findOrAdd(email);
  return { type: 'user', id, name, address: ADDRESS };
}

/** The owner of every test workspace. */
export const ownerOf = (gala: TestGala) => person(gala, 'owner@example.com');

/** Someone who joins the workspace by an invitation of its owner. */
export async function memberOf(
  gala: TestGala,
  workspaceId: WorkspaceId,
  email: string,
  role: Role,
): Promise<Person> {
  const owner = await ownerOf(gala);
  const { token } = await gala.app
    .get(InviteMember, { strict: false })
    .execute(workspaceId, owner, { email, role });
  const user = await gala.app.get(Accounts, { strict: false }).findOrAdd(email);
  await gala.app.get(AcceptInvitation, { strict: false }).execute(token, user, ADDRESS);
  return person(gala, email);
}
