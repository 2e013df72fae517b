import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { AppId, WorkspaceId } from '../../src/kernel/ids';
import type { Mode } from '../../src/kernel/principal';
import { ManageApps } from '../../src/modules/oauth';
import { type Answer, Client } from '../support/http-client';
import { encodeForm, type Fields, type PageClient } from '../support/page-client';
import { browserOf, newEmail, workspaceOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

export const CALLBACK = 'https://app.example.com/callback';
export const SCOPES = ['leads:read', 'leads:write'];
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
  workspace_id: string;
}

export interface Choice {
  workspace?: string;
  mode?: Mode;
  decision?: string;
}

interface AppInput {
  name?: string;
  redirectUris?: string[];
  scopes?: string[];
  allowedOrigins?: string[];
  isPublic?: boolean;
}

/** An app, and a workspace whose owner sits at a browser and may let it in. */
export class TestApp {
  readonly redirectUri: string;

  constructor(
    readonly gala: TestGala,
    readonly id: AppId,
    readonly secret: string | null,
    readonly owner: { email: string; browser: PageClient; workspaceId: WorkspaceId },
    [redirectUri = CALLBACK]: readonly string[],
  ) {
    this.redirectUri = redirectUri;
  }

  /** The address that the app sends people to. A parameter that is undefined is left out. */
  path(parameters: Record<string, string | string[] | undefined> = {}): string {
    const all: typeof parameters = { client_id: this.id, redirect_uri: this.redirectUri, ...parameters };
    const given = Object.entries(all).filter(
      (entry): entry is [string, string | string[]] => entry[1] !== undefined,
    );
    return `/oauth/authorize?${encodeForm(Object.fromEntries(given))}`;
  }

  /** What a person does who is sent there: looks at the page, chooses, and presses a button. */
  async decide(path: string, choice: Choice = {}, browser = this.owner.browser): Promise<Answer> {
    const page = await browser.get(path);
    if (page.status !== 200) return page;
    const { workspace = this.owner.workspaceId, mode = 'live', decision = 'allow' } = choice;
    return browser.post('/oauth/authorize', { ...hiddenFields(page.text), workspace, mode, decision });
  }

  async code(parameters: Record<string, string | undefined> = {}, choice: Choice = {}): Promise<string> {
    const { parameters: answer } = returned(await this.decide(this.path(parameters), choice));
    if (!answer.code) throw new Error(`No code came back: ${JSON.stringify(answer)}`);
    return answer.code;
  }

  redeem(code: string, more: Fields = {}, baseUrl = this.gala.baseUrl): Promise<Answer> {
    const fields = { grant_type: 'authorization_code', code, redirect_uri: this.redirectUri, ...more };
    return this.call('/oauth/token', fields, baseUrl);
  }

  refresh(token: string, more: Fields = {}, baseUrl = this.gala.baseUrl): Promise<Answer> {
    return this.call('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...more }, baseUrl);
  }

  /** By form, with the app's credentials in it. */
  call(path: string, fields: Fields, baseUrl = this.gala.baseUrl): Promise<Answer> {
    const credentials: Fields = { client_id: this.id, ...(this.secret && { client_secret: this.secret }) };
    return postForm(new Client(baseUrl), path, { ...credentials, ...fields });
  }

  /** The whole way to tokens. */
  async install(parameters: Record<string, string | undefined> = {}, choice: Choice = {}): Promise<Tokens> {
    const { status, body } = await this.redeem(await this.code(parameters, choice));
    expect(status).toBe(200);
    return body;
  }

  /** The API, as the app calls it. */
  as({ access_token: token }: Pick<Tokens, 'access_token'>, baseUrl = this.gala.baseUrl): Client {
    return new Client(baseUrl, token);
  }

  async statusOf(tokens: Pick<Tokens, 'access_token'>, baseUrl?: string): Promise<number> {
    return (await this.as(tokens, baseUrl).get('/v1/me')).status;
  }
}

/** A new app, and a new workspace with an owner of its own. */
export async function newApp(gala: TestGala, input: AppInput = {}): Promise<TestApp> {
  const { name = 'Seating Planner', redirectUris = [CALLBACK], scopes = SCOPES, isPublic = false } = input;
  const { allowedOrigins } = input;
  const { app, secret } = await gala.app
    .get(ManageApps, { strict: false })
    .register({ name, redirectUris, scopes, allowedOrigins }, { isPublic });
  const email = newEmail();
  const workspaceId = await workspaceOf(gala, email);
  const browser = await browserOf(gala, email);
  return new TestApp(gala, app.id, secret, { email, browser, workspaceId }, redirectUris);
}

export function postForm(
  client: Client,
  path: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return client.post(path, encodeForm(fields), { headers: { ...FORM, ...headers } });
}

export function basic(id: string, secret: string | null): { Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

export function challengeOf(verifier: string): { code_challenge: string; code_challenge_method: string } {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { code_challenge: challenge, code_challenge_method: 'S256' };
}

/** Where a person was sent, and what with; a parameter that is there twice fails the test. */
export function returned({ status, headers: { location = '' } }: Answer): {
  to: string;
  parameters: Record<string, string>;
} {
  if (status !== 303) throw new Error(`The person wasn't sent back: ${status}`);
  const { searchParams } = new URL(location);
  const entries = [...searchParams];
  expect(new Set(entries.map(([name]) => name)).size).toBe(entries.length);
  return { to: location.split('?')[0]!, parameters: Object.fromEntries(entries) };
}

/** Where the page about a faulty request leads, once the person clicks: to the app, with the error. */
export function offered(answer: Answer): { to: string; parameters: Record<string, string> } {
  if (answer.status !== 400) throw new Error(`There is no error page: ${answer.status}`);
  expect(answer.headers).not.toHaveProperty('location');
  expect(answer.text).not.toMatch(/http-equiv|<script(?! src="\/)/i);
  const links = [...answer.text.matchAll(/<a class="button secondary" href="([^"]*)" rel="noreferrer">/g)];
  expect(links).toHaveLength(1);
  const location = unescaped(links[0]![1]!);
  return returned({ ...answer, status: 303, headers: { location } });
}

/** The hidden fields of a page's forms, by name, as a browser reads them. */
export function hiddenFields(html: string): Record<string, string> {
  const body = html.slice(html.indexOf('action="/oauth/authorize"'));
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]+)" value(?:="([^"]*)")?/g)];
  return Object.fromEntries(
    fields.map(([, name, value]: (string | undefined)[]) => [name!, unescaped(value ?? '')]),
  );
}

function unescaped(html: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name]!);
}

/** A service that is reached under the very address it calls itself: stock clients insist on that. */
export async function startAtItsAddress(options: Parameters<typeof startGala>[0] = {}): Promise<TestGala> {
  let port = 0;
  const door = createServer((outer) => {
    const inner = connect(port, '127.0.0.1');
    for (const socket of [inner, outer])
      socket.on('error', () => [inner, outer].map((each) => each.destroy()));
    outer.pipe(inner).pipe(outer);
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const publicUrl = new URL(`http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  const gala = await startGala({ ...options, configuration: { ...options.configuration, publicUrl } });
  port = Number(new URL(gala.baseUrl).port);
  return {
    ...gala,
    baseUrl: publicUrl.origin,
    anonymous: new Client(publicUrl.origin),
    async stop() {
      door.close();
      await gala.stop();
    },
  };
}
