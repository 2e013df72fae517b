import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createDataSource } from '../../ormconfig';
import type { Composition } from '../../src/app.module';
import { createApp } from '../../src/create-app';
import { ScopeRegistry } from '../../src/kernel/scope-registry';
import type { WorkspaceId } from '../../src/kernel/ids';
import type { Mode } from '../../src/kernel/principal';
import { CreateApiKey } from '../../src/modules/api-keys';
import { CreateWorkspace } from '../../src/modules/workspaces';
import type { Configuration } from '../../src/platform/config/configuration';
import type { Logger } from '../../src/platform/logging/logger';
import { createDatabase } from './database';
import { Client } from './http-client';

export interface TestWorkspace {
  id: WorkspaceId;
  /** A new key of this workspace; with every scope when none are named. */
  key(mode: Mode, scopes?: string[]): Promise<string>;
  /** A client with such a key, and so with rate limits of its own. */
  client(mode?: Mode, scopes?: string[]): Promise<Client>;
}

export interface TestGala {
  baseUrl: string;
  databaseUrl: string;
  app: NestExpressApplication;
  /** Every line logged so far, as JSON. */
  logged: string[];
  anonymous: Client;
  createWorkspace(name?: string): Promise<TestWorkspace>;
  stop(): Promise<void>;
}

/** The whole service in this process, on a port and a database of its own (or on `databaseUrl`). */
export async function startGala(
  options: {
    configuration?: Partial<Configuration>;
    databaseUrl?: string;
    describesItself?: boolean;
  } & Composition = {},
): Promise<TestGala> {
  const own = options.databaseUrl ? undefined : await createDatabase();
  const databaseUrl = options.databaseUrl ?? own!.url;
  const dataSource = await createDataSource({
    url: databaseUrl,
    extensions: options.extensions,
  }).initialize();
  const logged: string[] = [];
  const app = await createApp({
    configuration: { ...defaults, ...options.configuration },
    dataSource,
    logger: recordingLogger(logged),
    extensions: options.extensions,
    overrides: options.overrides,
    describesItself: options.describesItself,
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
    createWorkspace: (name = 'Test') => createWorkspace(app, baseUrl, name),
    async stop() {
      server.closeAllConnections();
      await app.close();
      await dataSource.destroy();
      await own?.drop();
    },
  };
}

const defaults: Configuration = {
  workers: 1,
  port: 0,
  dataDirectory: '',
  publicUrl: new URL('http://localhost:3000'),
  trustedProxies: [],
  rateLimits: { reads: 100_000, writes: 100_000, address: 100_000 },
  publicRateLimits: { pages: 100_000, files: 100_000 },
  maxApiKeys: 100,
  maxConcurrentRequests: 2000,
  maxConnectionsPerAddress: 20_000,
  bodyMemory: 64 * 1024 * 1024,
  shutdownDelay: 0,
  mail: { from: 'Gala <no-reply@gala.test>' },
  encryptionKey: Buffer.alloc(32, 7),
  webhookAllowedNetworks: [],
  whatsAppApiUrl: new URL('http://whatsapp.invalid'),
  metrics: {},
  logLevel: 'info',
};

async function createWorkspace(
  app: NestExpressApplication,
  baseUrl: string,
  name: string,
): Promise<TestWorkspace> {
  const input = { name, ownerEmail: 'owner@example.com', timeZone: 'Europe/Madrid', currency: 'EUR' };
  const { id } = await app.get(CreateWorkspace, { strict: false }).execute(input);
  const everyScope = app
    .get(ScopeRegistry, { strict: false })
    .entries()
    .map(([scope]) => scope);
  const key = async (mode: Mode, scopes = everyScope) => {
    const createApiKey = app.get(CreateApiKey, { strict: false });
    return (
      await createApiKey.byOperator({ workspaceId: id, mode }, { name: 'Test key', scopes, expiresAt: null })
    ).token;
  };
  return { id, key, client: async (mode = 'live', scopes) => new Client(baseUrl, await key(mode, scopes)) };
}

function recordingLogger(lines: string[]): Logger {
  const record = (fields: object | string, message?: string) => {
    lines.push(JSON.stringify(typeof fields === 'string' ? { message: fields } : { ...fields, message }));
  };
  return { debug: () => undefined, info: record, warn: record, error: record };
}
