import { createServer, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Composition } from '../app.module';
import { createApp, guardServer } from '../create-app';
import { WorkspaceRepository } from '../modules/workspaces';
import type { Configuration } from '../platform/config/configuration';
import { checkTlsFiles, readConfiguration } from '../platform/config/load-configuration';
import { addressOf } from '../platform/config/public-address';
import { SecretBox } from '../platform/encryption/secret-box';
import { Draining } from '../platform/http/draining';
import { inOrder } from '../platform/http/in-order';
import { listen } from '../platform/http/listen';
import { ServiceState } from '../platform/health/service-state';
import { BackgroundJobs } from '../platform/jobs/background-jobs';
import { createLogger } from '../platform/logging/logger';
import { stopTracing } from '../platform/tracing/tracing';
import { closePort, isWorker, roundTrip, tellReady } from '../platform/workers/worker';
import { WorkerPool } from '../platform/workers/worker-pool';
import { createDemo, describeDemo } from './demo/demo';
import { exitWithMessage } from './exit-with-message';
import { type OpenDatabase, openDatabase } from './open-database';

/** Time for running requests to finish at shutdown. Connections are closed after it. Longer than any request takes. */
const DRAIN_MS = 20_000;
/** Time for the rest of the shutdown, such as closing a database connection that no longer responds. */
const TIDY_UP_MS = 40_000;
/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_KEYSTROKE_MS = 500;
const WORKS_ON_EMBEDDED = 'GALA_WORKS_ON_EMBEDDED';

type Stop = () => Promise<void>;

/** Starts the service in this process, with or without extensions, and ends the process when it stops. */
export async function startService(composition: Composition = {}): Promise<void> {
  const stopRequest = new AbortController();
  const starting = start(composition, stopRequest.signal);
  stopOnSignals(starting, stopRequest);
  await starting.catch((error: unknown) => {
    if (!stopRequest.signal.aborted) throw error;
  });
}

async function start(composition: Composition, stopRequest: AbortSignal): Promise<Stop> {
  const configuration = readConfiguration({ warns: !isWorker });
  checkTlsFiles(configuration);
  const say = (text: string) => void process.stdout.write(`${text}\n`);
  const { extensions } = composition;
  const database = await openDatabase(configuration, { role: 'service', extensions, onProgress: say });
  let stopServing: Stop | undefined;
  const stop = async () => {
    await stopServing?.();
    await database.close();
    await stopTracing();
  };
  try {
    stopRequest.throwIfAborted();
    const logger = createLogger(configuration.logLevel);
    if (configuration.workers > 1 && !isWorker) {
      const workers = new WorkerPool(configuration.workers, workerEnvironment(database), logger);
      stopServing = () => workers.stop();
      say(await workers.start());
      stopRequest.throwIfAborted();
      return stop;
    }
    const app = await createApp({
      ...composition,
      configuration,
      dataSource: database.dataSource,
      logger,
      describesItself: true,
    });
    stopServing = () => app.close();
    await app.get(SecretBox).verifyKey();
    stopServing = await serve(app, configuration);
    stopRequest.throwIfAborted();
    app.get(BackgroundJobs).start();
    const baseUrl = addressOf(configuration.publicUrl);
    const isEmbedded = database.isEmbedded || process.env[WORKS_ON_EMBEDDED] !== undefined;
    const next = await whatToTryNext(app, isEmbedded, baseUrl);
    const announce = isWorker ? tellReady : say;
    announce(`\nGala is ready at ${baseUrl} — API reference: ${baseUrl}/docs\n\n${next}`);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Workers reach the embedded database by its address, and learn from a variable that it is embedded. */
function workerEnvironment({ url, isEmbedded }: OpenDatabase): Record<string, string> {
  return { DATABASE_URL: url, ...(isEmbedded && { [WORKS_ON_EMBEDDED]: '1' }) };
}

/** With TLS, the plain HTTP port gets a server of its own. The front door redirects all of its requests. */
async function serve(
  app: NestExpressApplication,
  { port, tls, shutdownDelay }: Configuration,
): Promise<Stop> {
  const main = app.getHttpServer();
  const servers = [new Draining(main)];
  await (tls ? listen(main, tls.port, 'HTTPS_PORT') : listen(main, port, 'PORT'));
  if (tls) {
    const redirecting = createServer(inOrder(app.getHttpAdapter().getInstance() as RequestListener));
    guardServer(app, redirecting);
    servers.push(new Draining(redirecting));
    await listen(redirecting, port, 'PORT');
  }
  return async () => {
    app.get(ServiceState).isStopping = true;
    if (shutdownDelay) {
      for (const server of servers) server.announce();
      await sleep(shutdownDelay * 1000);
    }
    if (isWorker) {
      await Promise.all(servers.map((server) => server.acceptWaiting(roundTrip)));
      await closePort();
    }
    setTimeout(endAnyway, DRAIN_MS + TIDY_UP_MS).unref();
    await Promise.all([app.get(BackgroundJobs).stop(), ...servers.map((server) => server.end(DRAIN_MS))]);
    await app.close();
  };
}

function endAnyway(): never {
  console.error('Not everything could be ended in time. What was answered is stored.');
  process.exit(1);
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

/** The first signal waits for the current step of the start and for running requests. A second signal ends the process at once. */
function stopOnSignals(starting: Promise<Stop>, stopRequest: AbortController): void {
  let first: { signal: string; at: number } | undefined;
  const onSignal = (signal: string) => {
    if (first) {
      const isEcho = signal === first.signal && Date.now() - first.at < SAME_KEYSTROKE_MS;
      if (!isEcho) process.exit(1);
      return;
    }
    first = { signal, at: Date.now() };
    stopRequest.abort();
    starting
      .then(
        (stop) => stop(),
        (error: unknown) => {
          if (error !== stopRequest.signal.reason) throw error;
        },
      )
      .then(() => process.exit(0), exitWithMessage);
  };
  // Ctrl-C reaches workers as well. They ignore it and wait for their primary process.
  process.on('SIGINT', isWorker ? () => undefined : onSignal).on('SIGTERM', onSignal);
}
