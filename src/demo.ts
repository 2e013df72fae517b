import type { INestApplicationContext } from '@nestjs/common';
import { ScopeRegistry } from './kernel/scope-registry';
import { newSecretToken } from './kernel/secret-token';
import { MODES, type Mode } from './kernel/principal';
import { UnitOfWork } from './kernel/unit-of-work';
import { Accounts } from './modules/accounts';
import { CreateApiKey } from './modules/api-keys';
import { CreateLead, type NewLead } from './modules/leads';
import { SendMessage } from './modules/messages';
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

/**
 * A workspace to try things out in: an owner, who gets a new password each time, a key with every scope for each mode, and
 * a few leads in the sandbox, one of them written to.
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
    const sandbox = { workspaceId: workspace.id, mode: 'test' } as const;
    for (const lead of SAMPLE_LEADS) {
      const { id, name, phone } = await app.get(CreateLead, { strict: false }).execute(sandbox, lead);
      if (!phone) continue;
      const text = `Hi ${name}, thank you for your enquiry! Shall we show you the garden?`;
      await app.get(SendMessage, { strict: false }).execute(sandbox, id, { text, template: null });
    }
    return { workspaceId: workspace.id, name: workspace.name, signIn, keys };
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
