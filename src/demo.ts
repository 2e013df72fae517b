import type { INestApplicationContext } from '@nestjs/common';
import { OPERATOR } from './kernel/actor';
import type { LeadId, SpaceId } from './kernel/ids';
import { ScopeRegistry } from './kernel/scope-registry';
import { newSecretToken } from './kernel/secret-token';
import { MODES, type Mode, type WorkspaceRef } from './kernel/principal';
import { UnitOfWork } from './kernel/unit-of-work';
import { Accounts } from './modules/accounts';
import { CreateApiKey } from './modules/api-keys';
import { BookVisit, type EventWish, ManageSpaces, type NewSpace, PlanEvent } from './modules/calendar';
import { CreateLead, type NewLead } from './modules/leads';
import { CreateWorkspace } from './modules/workspaces';

export interface Demo {
  workspaceId: string;
  name: string;
  /** Of the settings area. */
  signIn: { email: string; password: string };
  keys: Record<Mode, string>;
}

const SAMPLE_LEADS: NewLead[] = [
  {
    name: 'Ana Pérez',
    email: 'ana@example.com',
    phone: '+34600123456',
    eventDate: '2027-06-12',
    guests: 120,
    source: 'website',
    tags: ['wedding', 'garden'],
  },
  {
    name: 'Oliver O’Brien',
    email: "o'brien@example.ie",
    guests: 40,
    source: 'referral',
    stage: 'contacted',
    tags: ['birthday'],
  },
  {
    name: 'Zoë Nováková',
    email: 'zoe@example.cz',
    eventDate: '2027-09-03',
    guests: 260,
    source: 'fair',
    stage: 'visit_booked',
    tags: ['conference', 'vip'],
  },
];

const SAMPLE_SPACES: NewSpace[] = [
  { name: 'Garden Pavilion', capacity: 180, setupMinutes: 180, clearingMinutes: 60 },
  { name: 'Stone Hall', capacity: 300, setupMinutes: 120, clearingMinutes: 60 },
];

/**
 * A workspace to try things out in: an owner, who gets a new password each time, a key with every scope for each mode, and
 * a few leads, two spaces and what is planned in them in the sandbox.
 */
export function createDemo(app: INestApplicationContext): Promise<Demo> {
  return app.get(UnitOfWork, { strict: false }).run(async () => {
    const ownerEmail = 'owner@example.com';
    const workspace = await app.get(CreateWorkspace, { strict: false }).execute({
      name: 'Gala Demo',
      ownerEmail,
      timeZone: 'Europe/Madrid',
      currency: 'EUR',
    });
    const signIn = { email: ownerEmail, password: newSecretToken().slice(0, 16) };
    await app.get(Accounts, { strict: false }).setPassword(signIn.email, signIn.password);
    const scopes = app
      .get(ScopeRegistry, { strict: false })
      .entries()
      .map(([scope]) => scope);
    const keys = {} as Record<Mode, string>;
    for (const mode of MODES) {
      const wish = { name: `Demo ${mode}`, scopes, expiresAt: null };
      keys[mode] = (
        await app.get(CreateApiKey, { strict: false }).byOperator({ workspaceId: workspace.id, mode }, wish)
      ).token;
    }
    await fillSandbox(app, { workspaceId: workspace.id, mode: 'test' });
    return { workspaceId: workspace.id, name: workspace.name, signIn, keys };
  });
}

async function fillSandbox(app: INestApplicationContext, ref: WorkspaceRef): Promise<void> {
  const get = <Type>(token: new (...args: never[]) => Type) => app.get<Type>(token, { strict: false });
  const leadIds: LeadId[] = [];
  for (const lead of SAMPLE_LEADS) leadIds.push((await get(CreateLead).execute(ref, lead)).id);
  const spaceIds: SpaceId[] = [];
  for (const space of SAMPLE_SPACES) {
    spaceIds.push((await get(ManageSpaces).create(ref, OPERATOR, space)).id);
  }
  const [ana, , zoe] = leadIds;
  const [garden, hall] = spaceIds;
  const within = (id?: SpaceId) => ({ spaces: { field: 'spaceId' as const, ids: id ? [id] : [] } });
  const plan = (wish: EventWish) => get(PlanEvent).execute(ref, wish);
  await plan({
    type: 'event',
    title: 'Wedding of Ana and Luis',
    startsAt: '2027-06-12T16:00:00Z',
    endsAt: '2027-06-13T01:00:00Z',
    leadId: ana,
    guests: 120,
    ...within(garden),
  });
  await get(BookVisit).execute(ref, zoe!, { startsAt: '2027-06-08T10:00:00Z', ...within(hall) });
  await plan({
    type: 'hold',
    title: 'Conference',
    startsAt: '2027-09-03',
    endsAt: '2027-09-05',
    leadId: zoe,
    ...within(hall),
  });
  await plan({
    type: 'block',
    title: 'The floor is polished',
    startsAt: '2027-06-14',
    endsAt: '2027-06-17',
    ...within(hall),
  });
}

/** What to try next, ready to paste. */
export function describeDemo({ name, signIn, keys }: Demo, baseUrl: string): string {
  return `Demo workspace "${name}". This is shown once; \`npx gala demo\` makes another one.
  live key  ${keys.live}
  test key  ${keys.test}
  settings  ${baseUrl}/sign-in
            e-mail    ${signIn.email}
            password  ${signIn.password}

Create your first lead, in the sandbox:
  curl ${baseUrl}/v1/leads -H "Authorization: Bearer ${keys.test}" -H "Content-Type: application/json" -d '{"name": "Ana Pérez", "email": "ana@example.com", "guests": 120}'
`;
}
