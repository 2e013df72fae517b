import type { AddressInfo } from 'node:net';
import { createDataSource } from '../../ormconfig';
import type { Composition } from '../app.module';
import { createApp } from '../create-app';
import { CreateWorkspace } from '../modules/workspaces';
import type { Configuration } from '../platform/config/configuration';
import { followCluster } from '../platform/outbox/event-epoch';
import type { Logger } from '../platform/logging/logger';
import { Client } from './client';
import { TEST_CONFIGURATION } from './configuration';
import { TestWorkspace } from './test-workspace';

/** The service within the test's process. */
export interface TestInstance {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** The Nest application, for `app.get(LeadQueries, { strict: false })` and the like. */
  readonly app: Awaited<ReturnType<typeof createApp>>;
  /** Every line logged so far, as JSON. A test may empty it. */
  readonly logged: string[];
  /** Calls the API without a credential. */
  readonly anonymous: Client;
  createWorkspace(name?: string, ownerEmail?: string): Promise<TestWorkspace>;
  stop(): Promise<void>;
}

export interface InstanceOptions extends Composition {
  /** Differences from a local service without limits. */
  configuration?: Partial<Configuration>;
  /** Migrated. */
  databaseUrl: string;
  describesItself?: boolean;
}

/** Serves on a free port. Background jobs aren't started. */
export async function startInstance(options: InstanceOptions): Promise<TestInstance> {
  const { databaseUrl, extensions, configuration, ...rest } = options;
  const dataSource = await createDataSource({ url: databaseUrl, extensions }).initialize();
  // The database may be a copy of a template, which a service would notice at its start.
  await followCluster((text) => dataSource.query(text));
  const logged: string[] = [];
  const app = await createApp({
    ...rest,
    extensions,
    configuration: { ...TEST_CONFIGURATION, ...configuration },
    dataSource,
    logger: recordingLogger(logged),
  }).catch(async (error: unknown) => {
    await dataSource.destroy();
    throw error;
  });
  const server = app.getHttpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    databaseUrl,
    app,
    logged,
    anonymous: new Client(baseUrl),
    async createWorkspace(name = 'Test', ownerEmail = 'owner@example.com') {
      const input = { name, ownerEmail, timeZone: 'Europe/Madrid', currency: 'EUR' };
      const { id } = await app.get(CreateWorkspace, { strict: false }).execute(input);
      return new TestWorkspace(id, ownerEmail, { app, baseUrl });
    },
    async stop() {
      server.closeAllConnections();
      await app.close();
      await dataSource.destroy();
    },
  };
}

function recordingLogger(lines: string[]): Logger {
  const record = (fields: object | string, message?: string) => {
    lines.push(JSON.stringify(typeof fields === 'string' ? { message: fields } : { ...fields, message }));
  };
  return { debug: () => undefined, info: record, warn: record, error: record };
}
