import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DataSource } from 'typeorm';
import { AppModule, type Composition } from './app.module';
import type { Configuration } from './platform/config/configuration';
import { CrossOrigin } from './platform/access/cross-origin';
import { basePathOf } from './platform/config/public-address';
import { ConnectionShares } from './platform/http/connection-shares';
import { FrontDoor } from './platform/http/front-door';
import { GalaExpressAdapter } from './platform/http/gala-express-adapter';
import { answerMalformedRequests } from './platform/http/malformed-requests';
import { PublicFiles } from './platform/http/public-files';
import type { Logger } from './platform/logging/logger';
import { NestLogger } from './platform/logging/nest-logger';
import { serveApiReference } from './platform/openapi/api-reference';
import { serveAccents } from './platform/pages/accent';
import { servePageAssets } from './platform/pages/assets';
import { RateLimits } from './platform/rate-limiting/rate-limits';

export interface AppOptions extends Composition {
  configuration: Configuration;
  /** Initialized and migrated. */
  dataSource: DataSource;
  logger: Logger;
  /** Writes the API's description before the first request, since it blocks the event loop for a third of a second. */
  describesItself?: boolean;
}

/** The service with its whole HTTP pipeline, for the process, tests and commands. It doesn't listen on a port yet. */
export async function createApp(options: AppOptions): Promise<NestExpressApplication> {
  const { configuration, logger } = options;
  const { tls } = configuration;
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(options, options),
    new GalaExpressAdapter(basePathOf(configuration.publicUrl)),
    {
      bodyParser: false,
      abortOnError: false,
      logger: new NestLogger(logger),
      ...(tls && {
        httpsOptions: { cert: readFileSync(tls.certificateFile), key: readFileSync(tls.keyFile) },
      }),
    },
  );
  app.set('trust proxy', configuration.trustedProxies);
  app.use(app.get(FrontDoor).handle);
  app.use(app.get(CrossOrigin).handle);
  const files = new PublicFiles(app.get(RateLimits));
  const describeApi = serveApiReference(app, files.router, configuration.publicUrl);
  servePageAssets(files.router);
  serveAccents(files.router);
  app.use(files.handle);
  await app.init();
  if (options.describesItself) describeApi();
  guardServer(app, app.getHttpServer());
  return app;
}

/** Adds the limits and error responses that every server of the service needs. */
export function guardServer(app: NestExpressApplication, server: Server): void {
  const isProxy = app.getHttpAdapter().getInstance().get('trust proxy fn') as TrustProxy;
  app.get(ConnectionShares).guard(server, (address) => isProxy(address, 0));
  answerMalformedRequests(server, app.get(RateLimits));
}

type TrustProxy = (address: string, hops: number) => boolean;
