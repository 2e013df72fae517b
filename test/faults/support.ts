import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../support/database';
import type { Client } from '../support/http-client';
import { compileService, type ServiceProcess, startServiceProcess } from '../support/service-process';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const TICKS_PER_SECOND = 100;
const ENCRYPTION_KEY = Buffer.alloc(32, 7);

/**
 * A database with a workspace, and services in processes of their own on it, which come and go. The service in this
 * process delivers nothing: it is there for what has to be arranged.
 */
export class Installation {
  private readonly running = new Set<ServiceProcess>();

  private constructor(
    readonly databaseUrl: string,
    readonly workspace: TestWorkspace,
    readonly client: Client,
    private readonly gala: TestGala,
    private readonly compiled: ReturnType<typeof compileService>,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  static async create(): Promise<Installation> {
    const compiled = compileService();
    const database = await createDatabase();
    const gala = await startGala({
      databaseUrl: database.url,
      configuration: { webhookAllowedNetworks: ['127.0.0.0/8'], encryptionKey: ENCRYPTION_KEY },
    });
    const workspace = await gala.createWorkspace();
    const client = await workspace.client('test');
    return new Installation(database.url, workspace, client, gala, compiled, () => database.drop());
  }

  async startService(environment: Record<string, string> = {}): Promise<ServiceProcess> {
    const service = await startServiceProcess(this.compiled.directory, {
      DATABASE_URL: this.databaseUrl,
      ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      RATE_LIMIT_WRITES: '1000000000',
      LOG_LEVEL: 'warn',
      ...environment,
    });
    this.running.add(service);
    return service;
  }

  async subscribe(url: string, events: string[]): Promise<{ id: string; secret: string }> {
    const { status, body } = await this.client.post('/v1/webhooks', { url, events });
    expect(status).toBe(201);
    return body;
  }

  sql<Row>(text: string, values?: unknown[]): Promise<Row[]> {
    return sql<Row>(this.databaseUrl, text, values);
  }

  async remove(): Promise<void> {
    for (const service of this.running) await service.kill();
    await this.gala.stop();
    await this.dropDatabase();
    this.compiled.remove();
  }
}

export async function until(
  isSo: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 100 }: { withinMs: number; everyMs?: number },
): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`That wasn’t so within ${withinMs / 1000} s.`);
    await sleep(everyMs);
  }
}

export function residentMb({ pid }: ServiceProcess): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** What it has used so far: says more than a rate where others are at work too. */
export function processorSeconds({ pid }: ServiceProcess): number {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields!.split(' ').slice(11, 13).map(Number);
  return (user! + system!) / TICKS_PER_SECOND;
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
