import type { INestApplicationContext } from '@nestjs/common';
import { ScopeRegistry } from '../../kernel/scope-registry';
import { newSecretToken } from '../../kernel/secret-token';
import { MODES, type Mode } from '../../kernel/principal';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { Accounts } from '../../modules/accounts';
import { CreateApiKey } from '../../modules/api-keys';
import { CreateWorkspace } from '../../modules/workspaces';
import { fillSandbox } from './sandbox';

export interface Demo {
  workspaceId: string;
  name: string;
  /** For the settings area. */
  signIn: { email: string; password: string };
  keys: Record<Mode, string>;
}

/** Creates a demo workspace with an owner, a key with every scope for each mode, and sample data in the sandbox. */
export function createDemo(app: INestApplicationContext): Promise<Demo> {
  return app.get(UnitOfWork, { strict: false }).run(async () => {
    const number = await unusedNumber(app.get(Accounts, { strict: false }));
    const ownerEmail = `owner${number}@example.com`;
    const workspace = await app.get(CreateWorkspace, { strict: false }).execute({
      name: `Gala Demo ${number}`.trim(),
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
      const input = { name: `Demo ${mode}`, scopes, expiresAt: null };
      keys[mode] = (
        await app.get(CreateApiKey, { strict: false }).byOperator({ workspaceId: workspace.id, mode }, input)
      ).token;
    }
    await fillSandbox(app, { workspaceId: workspace.id, mode: 'test' });
    return { workspaceId: workspace.id, name: workspace.name, signIn, keys };
  });
}

/** The first number without an owner, so that no other demo's password changes. Blank for the first demo. */
async function unusedNumber(accounts: Accounts): Promise<string> {
  let number = '';
  for (let count = 2; await accounts.find(`owner${number}@example.com`); count++) number = String(count);
  return number;
}

/** The demo's credentials and a first request, ready to paste. */
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
