import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Accounts,
  BackgroundJobs,
  type Composition,
  CreateApiKey,
  createApp,
  createLogger,
  Logger,
  CreateWorkspace,
  loadConfiguration,
  type Mail,
  type Mode,
  openDatabase,
} from 'gala';
import { loyalty, overrides } from '../src/loyalty';

const METRICS_TOKEN = 'metrics-token-of-the-tests';

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
  process.env.LOYALTY_TILL_SECRET = 'till-secret-of-the-tests';
  const configuration = loadConfiguration({
    DATA_DIR: directory,
    PUBLIC_URL: 'http://localhost:3000',
    METRICS_TOKEN,
  });
  const database = await openDatabase(configuration, { role: 'service', extensions: [loyalty] });
  const app = await createApp({
    configuration,
    dataSource: database.dataSource,
    logger: createLogger('silent'),
    extensions: [loyalty],
    overrides,
  });
  app.get(BackgroundJobs).start();
  const baseUrl = await listen(app);

  const input = {
    name: 'Garden Events',
    ownerEmail: OWNER.email,
    timeZone: 'Europe/Madrid',
    currency: 'EUR',
  };
  const { id: workspaceId } = await app.get(CreateWorkspace, { strict: false }).execute(input);
  await app.get(Accounts, { strict: false }).setPassword(OWNER.email, OWNER.password);
  const createApiKey = app.get(CreateApiKey, { strict: false });
  return {
    baseUrl,
    workspaceId,
    dataSource: database.dataSource,
    mails: gateway.mails,
    /** Someone new, who may sign in with that password. */
    async addPerson({ email, password }: typeof OWNER) {
      const accounts = app.get(Accounts, { strict: false });
      await accounts.findOrAdd(email);
      await accounts.setPassword(email, password);
    },
    /** The lines of the metrics that begin so. */
    async metrics(start: string): Promise<string[]> {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
      const { text } = await read(await fetch(`${baseUrl}/metrics`, { headers }));
      return text.split('\n').filter((line) => line.startsWith(start));
    },
    /** Leaves what is done in the background to other instances. */
    pause: () => app.get(BackgroundJobs).stop(),
    /** Another instance on the same database, put together otherwise. */
    async another(composition: Composition) {
      const logger = app.get(Logger);
      const other = await createApp({
        configuration,
        dataSource: database.dataSource,
        logger,
        extensions: [loyalty],
        ...composition,
      });
      return { app: other, baseUrl: await listen(other), stop: () => other.close() };
    },
    /** Calls the API with a new key of these scopes. */
    async client(mode: Mode, scopes: string[], url = baseUrl) {
      const fields = { name: 'Test', scopes, expiresAt: null };
      return clientOf(url, (await createApiKey.byOperator({ workspaceId, mode }, fields)).token);
    },
    async stop() {
      await app.close();
      await database.close();
      gateway.stop();
      await rm(directory, { recursive: true });
    },
  };
}

async function listen(app: Awaited<ReturnType<typeof createApp>>): Promise<string> {
  await app.listen(0, '127.0.0.1');
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}

/** Calls the API with that token. */
export function clientOf(baseUrl: string, token: string) {
  return async (
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Answer> =>
    read(
      await fetch(baseUrl + path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body && JSON.stringify(body),
      }),
    );
}

/** What happens in the background happens soon: asks until the answer is as it should be. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  isThere: (value: Value) => boolean,
): Promise<Value> {
  const giveUpAt = Date.now() + 20_000;
  for (;;) {
    const value = await ask();
    if (isThere(value) || Date.now() > giveUpAt) return value;
    await sleep(50);
  }
}

/** What a browser does with pages: it keeps cookies, and sends the forms that it was shown. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly baseUrl: string) {}

  get(path: string): Promise<Answer> {
    return this.request(path);
  }

  /** Sends a form of the page `on`, by default to where the page itself is. */
  async submit(path: string, fields: Record<string, string>, on = path): Promise<Answer> {
    const { text } = await this.get(on);
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
