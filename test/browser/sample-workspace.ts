import type { Person } from '../../src/kernel/actor';
import type { ApiKeyId, ProposalId, WorkspaceId } from '../../src/kernel/ids';
import type { Mode } from '../../src/kernel/principal';
import { type ApiKeyView, CreateApiKey, RevokeApiKey } from '../../src/modules/api-keys';
import { InviteMember } from '../../src/modules/workspaces';
import { draftIn } from '../proposals/support';
import { makeKey } from '../support/api-keys';
import { createSpace, plan } from '../support/calendar';
import type { FakeClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';
import type { TestGala } from '../support/start-gala';
import { createTask } from '../tasks/support';
import { memberOf } from '../workspaces/people';

export const ADMIN = 'marta@aurora.example';
export const MEMBER = 'a.person.with.a.remarkably.long.address@events.and.conferences.villa-aurora.example';

const DAY = 86_400;
const BEFORE = 45 * DAY;

export interface SampleWorkspace {
  id: WorkspaceId;
  name: string;
  /** Made another key, which its page says. */
  websiteForm: ApiKeyId;
  revoked: ApiKeyId;
  draft: ProposalId;
}

/** A workspace as it is after some weeks: with people, an invitation, and keys in every state. */
export async function sampleWorkspace(gala: TestGala, clock: FakeClock): Promise<SampleWorkspace> {
  const name = 'Villa Aurora';
  const { id } = await gala.createWorkspace(name);
  const marta = await memberOf(gala, id, ADMIN, 'admin');
  await memberOf(gala, id, MEMBER, 'member');
  const invitation = { email: 'new.person@example.com', role: 'member' } as const;
  await gala.app.get(InviteMember, { strict: false }).execute(id, marta, invitation);

  clock.advance(-BEFORE);
  const make = keyMaker(gala, id, marta);
  const brochure = await make('live', 'Old brochure', ['leads:write']);
  clock.advance(9 * DAY);
  const website = await make('live', 'Website form', ['leads:write']);
  clock.advance(8 * DAY + 5000);
  const agency = await make('live', 'Agency', [
    'leads:read',
    'leads:write',
    'calendar:read',
    'calendar:write',
    'tasks:write',
  ]);
  await makeKey(new Client(gala.baseUrl, agency.token), { name: 'Agency reports', scopes: ['leads:read'] });
  await make('test', 'Trying things out', ['leads:read', 'leads:write']);
  clock.advance(BEFORE - 17 * DAY - 5000);
  const revoke = gala.app.get(RevokeApiKey, { strict: false });
  await revoke.byPerson({ workspaceId: id, mode: 'live' }, marta, brochure.key.id, { andDescendants: false });
  await make('live', 'Spring trade fair', ['leads:write'], clock.in(30 * DAY));
  await sql(
    gala.databaseUrl,
    `UPDATE api_keys SET last_used_at = $1 WHERE name IN ('Website form', 'Agency')`,
    [clock.in(-600)],
  );
  await planJanuary(new Client(gala.baseUrl, agency.token));
  await addTasks(new Client(gala.baseUrl, agency.token));
  const { id: draft } = await draftIn(gala, { workspaceId: id, mode: 'live' });
  return { id, name, websiteForm: website.key.id, revoked: brochure.key.id, draft };
}

/** The month that the clock shows, with something of every kind. */
async function planJanuary(client: Client): Promise<void> {
  const { id: spaceId } = await createSpace(client);
  const at = (dayAndHour: string) => `2027-01-${dayAndHour}:00:00Z`;
  await plan(client, {
    title: 'Wedding of Ana and Luis',
    spaceId,
    startsAt: at('23T15'),
    endsAt: at('24T02'),
  });
  await plan(client, { type: 'visit', title: 'Zoë Nováková', startsAt: at('15T10'), endsAt: at('15T11') });
  await plan(client, { type: 'hold', title: 'Spring gala', startsAt: '2027-01-28', endsAt: '2027-02-02' });
  await plan(client, {
    type: 'block',
    title: 'Floor is polished',
    startsAt: '2027-01-11',
    endsAt: '2027-01-14',
  });
}

/** Tasks with every kind of due time, one of them overdue. */
async function addTasks(client: Client): Promise<void> {
  await createTask(client, { title: 'Call Ana back', dueOn: '2027-01-11' });
  await createTask(client, { title: 'Send the menu', dueAt: '2027-01-20T16:00:00Z' });
  await createTask(client, { title: 'Find a photographer' });
}

function keyMaker(gala: TestGala, workspaceId: WorkspaceId, person: Person) {
  const createApiKey = gala.app.get(CreateApiKey, { strict: false });
  return async (
    mode: Mode,
    name: string,
    scopes: string[],
    expiresAt?: string,
  ): Promise<{ key: ApiKeyView; token: string }> => {
    const input = { name, scopes, expiresAt: expiresAt ? new Date(expiresAt) : null };
    return createApiKey.byPerson({ workspaceId, mode }, person, input);
  };
}
