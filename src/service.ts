import { createServer, type Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Composition } from './app.module';
import { createApp } from './create-app';
import { createDemo, describeDemo } from './demo';
import { WorkspaceRepository } from './modules/workspaces';
import type { Configuration } from './platform/config/configuration';
import { loadConfiguration, readEnvironment } from './platform/config/load-configuration';
import { createLogger } from './platform/logging/logger';
import { openDatabase } from './open-database';

/** How long requests that are under way at the end may take, before their connections are cut. */
const DRAIN_MS = 10_000;

/** Something that the operator has to mend, told in full by its message. */
export class StartError extends Error {}

/** Starts the whole service in this process and ends with it: the way to run Gala, also with extensions. */
export async function startService(composition: Composition = {}): Promise<void> {
  const configuration = loadConfiguration(readEnvironment());
  const say = (text: string) => void process.stdout.write(`${text}\n`);
  const logger = createLogger(configuration.logLevel);
  const database = await openDatabase(configuration, {
    role: 'service',
    extensions: composition.extensions,
    onProgress: say,
  });
  const servers: Server[] = [];
  let app: NestExpressApplication | undefined;
  const stop = async () => {
    await app?.close();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    await database.close();
  };
  try {
    app = await createApp({ ...composition, configuration, dataSource: database.dataSource, logger });
    servers.push(...(await listen(app, configuration)));
    const baseUrl = configuration.publicUrl.href.replace(/\/$/, '');
    say(`\nGala is ready at ${baseUrl} — API reference: ${baseUrl}/docs\n`);
    say(await whatToTryNext(app, database.isEmbedded, baseUrl));
  } catch (error) {
    await stop();
    throw error;
  }
  stopOnSignals(app, servers, stop);
}

/** With TLS the plain port has a server of its own, whose every request the front door redirects. */
async function listen(app: NestExpressApplication, { port, tls }: Configuration): Promise<Server[]> {
  await listenOn(app.getHttpServer(), tls?.port ?? port);
  if (!tls) return [];
  const redirecting = createServer(app.getHttpAdapter().getInstance());
  await listenOn(redirecting, port);
  return [redirecting];
}

async function listenOn(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        reject(
          new StartError(
            `Port ${port} is taken by another process. Stop that one, or choose another port with PORT.`,
          ),
        );
      } else if (error.code === 'EACCES') {
        reject(
          new StartError(`Port ${port} may not be opened by this user. Choose one above 1023 with PORT.`),
        );
      } else reject(error);
    });
    server.listen(port, resolve);
  });
}

async function whatToTryNext(
  app: NestExpressApplication,
  isEmbedded: boolean,
  baseUrl: string,
): Promise<string> {
  const hasWorkspaces = (await app.get(WorkspaceRepository, { strict: false }).list()).length > 0;
  if (hasWorkspaces) return 'Lost the keys? `npx gala demo` makes a demo workspace with new ones.\n';
  if (isEmbedded) return describeDemo(await createDemo(app), baseUrl);
  return 'There is no workspace yet: make one with `npx gala workspace create`, or a demo with `npx gala demo`.\n';
}

/** The first signal lets requests under way finish; a second one doesn't wait. */
function stopOnSignals(app: NestExpressApplication, servers: Server[], stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      setTimeout(() => {
        for (const server of [app.getHttpServer(), ...servers]) server.closeAllConnections();
      }, DRAIN_MS).unref();
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
