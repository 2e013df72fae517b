import { createDataSource } from '../../ormconfig';
import { migrate } from '../../src/platform/persistence/migrate';
import { Client } from '../support/http-client';
import { compileService, type ServiceProcess, startServiceProcess } from '../support/service-process';
import { startGala, type TestGala } from '../support/start-gala';

export const ENCRYPTION_KEY = Buffer.alloc(32, 7);

/** The service as it is compiled, started as often as wanted on whatever database a test is about. */
export class Services {
  private readonly compiled = compileService();
  private readonly started: ServiceProcess[] = [];

  async start(environment: Record<string, string>): Promise<ServiceProcess> {
    const start = () =>
      startServiceProcess(this.compiled.directory, {
        ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        RATE_LIMIT_READS: '1000000000',
        RATE_LIMIT_WRITES: '1000000000',
        LOG_LEVEL: 'fatal',
        ...environment,
      });
    // While it starts, which takes seconds, somebody else on this machine may take the port that was free.
    const service = await start().catch(start);
    this.started.push(service);
    return service;
  }

  async remove(): Promise<void> {
    for (const service of this.started) await service.kill();
    this.compiled.remove();
  }
}

/** Brings a database up to date; resolves to a key of a new workspace, of live mode and with every scope. */
export async function prepare(databaseUrl: string): Promise<string> {
  const [key] = await prepareKeys(databaseUrl, 1);
  return key!;
}

/** The same with several keys of one workspace. */
export function prepareKeys(databaseUrl: string, count: number): Promise<string[]> {
  return prepared(databaseUrl, async (gala) => {
    const workspace = await gala.createWorkspace();
    return Promise.all(Array.from({ length: count }, () => workspace.key('live')));
  });
}

/** The same with a key of each of several workspaces. */
export function prepareWorkspaces(databaseUrl: string, count: number): Promise<string[]> {
  return prepared(databaseUrl, async (gala) => {
    const keys: string[] = [];
    while (keys.length < count) keys.push(await (await gala.createWorkspace()).key('live'));
    return keys;
  });
}

async function prepared(
  databaseUrl: string,
  makeKeys: (gala: TestGala) => Promise<string[]>,
): Promise<string[]> {
  await migrate(databaseUrl, [
    () => createDataSource({ url: databaseUrl, poolSize: 1, statementTimeoutMs: 0 }),
  ]);
  const gala = await startGala({ databaseUrl, configuration: { encryptionKey: ENCRYPTION_KEY } });
  const keys = await makeKeys(gala);
  await gala.stop();
  return keys;
}

export async function readiness({ baseUrl }: Pick<ServiceProcess, 'baseUrl'>): Promise<string> {
  const { status, body } = await new Client(baseUrl).get('/health/ready');
  expect(status).toBe(body.status === 'ok' ? 200 : 503);
  return body.status;
}
