import { type INestApplicationContext, Logger as NestLog } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module';
import { loadComposition } from '../service/load-composition';
import { openDatabase } from '../service/open-database';
import type { Configuration } from '../platform/config/configuration';
import { readConfiguration } from '../platform/config/load-configuration';
import { SecretBox } from '../platform/encryption/secret-box';
import { createLogger } from '../platform/logging/logger';

/**
 * Runs a command on the service's database (also the embedded one) and with its extensions, whether the service is running
 * or not.
 */
export async function withApp<Result>(
  work: (app: INestApplicationContext, configuration: Configuration) => Promise<Result>,
): Promise<Result> {
  const composition = await loadComposition();
  const configured = readConfiguration();
  // A running service with the same variables already uses the metrics port.
  const configuration = { ...configured, metrics: { ...configured.metrics, port: undefined } };
  const database = await openDatabase(configuration, {
    role: 'command',
    extensions: composition.extensions,
    onProgress: (line) => console.error(line),
  });
  try {
    NestLog.overrideLogger(false);
    const options = { configuration, dataSource: database.dataSource, logger: createLogger('silent') };
    const app = await NestFactory.createApplicationContext(AppModule.with(options, composition), {
      logger: false,
      abortOnError: false,
    });
    await app.get(SecretBox, { strict: false }).verifyKey();
    const result = await work(app, configuration);
    await app.close();
    return result;
  } finally {
    await database.close();
  }
}
