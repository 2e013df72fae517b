import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Accounts,
  BackgroundJobs,
  CreateApiKey,
  createApp,
  createLogger,
  CreateWorkspace,
  loadConfiguration,
  type Mail,
  type Mode,
  openDatabase,
  type WorkspaceId,
} from 'gala';
import { loyalty, overrides } from '../src/loyalty';

export const OWNER = { email: 'owner@example.com', password: 'plum gravel orbit tandem' };

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: any;
}

/** The whole service with the extension, on a PostgreSQL of its own, beside a mail gateway that keeps what it gets. */
export async function startService() {
  const gateway = await startMailGateway();
  const directory = await mkdtemp(join(tmpdir(), 'loyalty-'));
  const configuration = loadConfiguration({ DATA_DIR: directory, PUBLIC_URL: 'http://localhost:3000' });
  const database = await openDatabase(configuration, { role: 'service', extensions: [loyalty] });
  const app = await createApp({
    configuration,
    dataSource: database.dataSource,
    logger: createLogger('silent'),
    extensions: [loyalty],
    overrides,
  });
  await app.listen(0, '127.0.0.1');
  app.get(BackgroundJobs).start();
  const { port } = app.getHttpServer().address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;

  const wish = { name: 'Garden Events', ownerEmail: OWNER.email, timeZone: 'Europe/Madrid', currency: 'EUR' };
  const { id: workspaceId } = await app.get(CreateWorkspace, { strict: false }).execute(wish);
  await app.get(Accounts, { strict: false }).setPassword(OWNER.email, OWNER.password);
  const createApiKey = app.get(CreateApiKey, { strict: false });
  return {
    baseUrl,
    workspaceId,
    mails: gateway.mails,
    /** Calls the API with a new key of these scopes. */
    client: (mode: Mode, scopes: string[]) => client(baseUrl, createApiKey, workspaceId, mode, scopes),
    async stop() {
      await app.close();
      await database.close();
      gateway.stop();
      await rm(directory, { recursive: true });
    },
  };
}

async function client(
  baseUrl: string,
  createApiKey: CreateApiKey,
  workspaceId: WorkspaceId,
  mode: Mode,
  scopes: string[],
) {
  const fields = { name: 'Test', scopes, expiresAt: null };
  const { token } = await createApiKey.byOperator({ workspaceId, mode }, fields);
  return async (method: string, path: string, body?: object): Promise<Answer> =>
    read(
      await fetch(baseUrl + path, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: body && JSON.stringify(body),
      }),
    );
}

/** What a browser does with pages: it keeps cookies, and sends the forms that it was shown. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly baseUrl: string) {}

  get(path: string): Promise<Answer> {
    return this.request(path);
  }

  /** Sends the form on the page `path` to where the page itself is. */
  async submit(path: string, fields: Record<string, string>): Promise<Answer> {
    const { text } = await this.get(path);
    const csrfToken = /name="csrfToken" value="([^"]+)"/.exec(text)?.[1] ?? '';
    return this.request(path, new URLSearchParams({ csrfToken, ...fields }));
  }

  private async request(path: string, form?: URLSearchParams): Promise<Answer> {
    const answer = await fetch(this.baseUrl + path, {
      method: form ? 'POST' : 'GET',
      headers: { Cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') },
      body: form,
      redirect: 'manual',
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.cookies.set(name!, value!);
    }
    return read(answer);
  }
}

async function read(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

async function startMailGateway() {
  const mails: Mail[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      mails.push(JSON.parse(Buffer.concat(chunks).toString()) as Mail);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.MAIL_GATEWAY_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    mails,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
