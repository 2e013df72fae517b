import type { INestApplicationContext } from '@nestjs/common';
import type { Person } from '../kernel/actor';
import { newId, type WorkspaceId } from '../kernel/ids';
import type { Mode } from '../kernel/principal';
import type { Role } from '../kernel/role';
import { ScopeRegistry } from '../kernel/scope-registry';
import { Accounts, SignIn, type User } from '../modules/accounts';
import { CreateApiKey } from '../modules/api-keys';
import { AcceptInvitation, InviteMember } from '../modules/workspaces';
import { Configuration } from '../platform/config/configuration';
import { Browser } from './browser';
import { Client } from './client';

interface Served {
  readonly app: INestApplicationContext;
  readonly baseUrl: string;
}

const VISITOR = { address: '127.0.0.1', userAgent: 'Test' };

export class TestWorkspace {
  constructor(
    readonly id: WorkspaceId,
    readonly ownerEmail: string,
    private readonly gala: Served,
  ) {}

  /** Creates an API key, with every scope when none are named. */
  async key(mode: Mode, scopes = this.everyScope()): Promise<string> {
    const input = { name: 'Test key', scopes, expiresAt: null };
    const createApiKey = this.gala.app.get(CreateApiKey, { strict: false });
    return (await createApiKey.byOperator({ workspaceId: this.id, mode }, input)).token;
  }

  /** A client with a key of its own, and so with rate limits of its own. */
  async client(mode: Mode = 'live', scopes?: string[]): Promise<Client> {
    return new Client(this.gala.baseUrl, await this.key(mode, scopes));
  }

  /** A browser in which a person with that role is signed in: the owner, or a new member. */
  async browser(role: Role = 'owner'): Promise<Browser> {
    const email = role === 'owner' ? this.ownerEmail : await this.addMember(role);
    const browser = new Browser(this.gala.baseUrl);
    await signInBrowser(browser, this.gala.app, email);
    return browser;
  }

  private everyScope(): string[] {
    return this.gala.app
      .get(ScopeRegistry, { strict: false })
      .entries()
      .map(([scope]) => scope);
  }

  private async addMember(role: Role): Promise<string> {
    const { app } = this.gala;
    const accounts = app.get(Accounts, { strict: false });
    const email = `${newId('member')}@example.com`;
    const owner = personOf(await accounts.findOrAdd(this.ownerEmail));
    const invite = app.get(InviteMember, { strict: false });
    const { token } = await invite.execute(this.id, owner, { email, role });
    const member = await accounts.findOrAdd(email);
    await app.get(AcceptInvitation, { strict: false }).execute(token, member, VISITOR.address);
    return email;
  }
}

/** Signs a person in without the form, and adds the account if there is none. */
export async function signInBrowser(
  browser: Browser,
  app: INestApplicationContext,
  email: string,
): Promise<void> {
  const user = await app.get(Accounts, { strict: false }).findOrAdd(email);
  const { secret } = await app.get(SignIn, { strict: false }).start(user, VISITOR, false);
  // Services on other ports of localhost have cookies of their own.
  const { port } = app.get(Configuration, { strict: false }).publicUrl;
  browser.cookies.set(port && port !== '3000' ? `gala-${port}` : 'gala', secret);
}

function personOf({ id, email }: User): Person {
  return { type: 'user', id, name: email, address: VISITOR.address };
}
