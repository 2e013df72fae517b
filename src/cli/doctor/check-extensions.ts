import type { DynamicModule, INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createDataSource } from '../../../ormconfig';
import { AppModule, type Composition } from '../../app.module';
import type { Configuration } from '../../platform/config/configuration';
import { GalaExpressAdapter } from '../../platform/http/gala-express-adapter';
import { createLogger } from '../../platform/logging/logger';
import { EventSubscribers } from '../../platform/outbox/event-subscribers';
import { CompositionError } from '../../platform/composition-error';
import { type Finding, findingsOf } from './finding';

const check = findingsOf('extensions');

export function checkExtensions({ extensions = [] }: Composition): Finding {
  const names = extensions.map(({ module }) => module.name).join(', ');
  return check.ok(extensions.length === 0 ? 'There are no extensions.' : `Extensions: ${names}.`);
}

export function extensionsProblem({ message }: CompositionError): Finding {
  return check.problem(message, 'Then run the doctor again for the other checks.');
}

/**
 * The names of the event subscribers that Gala's modules and the extensions' add when they are created. They are not
 * initialized, so that nothing starts and nothing is written.
 * @throws CompositionError if the modules can't be put together
 */
export async function subscribersOf(
  url: string,
  configuration: Configuration,
  composition: Composition,
): Promise<string[]> {
  const { extensions } = composition;
  const dataSource = await createDataSource({ url, extensions, poolSize: 1 }).initialize();
  try {
    const alone = { ...configuration, redisUrl: undefined, metrics: {} };
    const options = { configuration: alone, dataSource, logger: createLogger('silent') };
    const app = await createModules(() => AppModule.with(options, composition));
    const { names } = app.get(EventSubscribers, { strict: false });
    await app.close();
    return names;
  } finally {
    await dataSource.destroy();
  }
}

async function createModules(compose: () => DynamicModule): Promise<INestApplication> {
  try {
    const options = { logger: false, abortOnError: false } as const;
    return await NestFactory.create(compose(), new GalaExpressAdapter(''), options);
  } catch (error) {
    throw new CompositionError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
