import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../../migrations';
import type { Composition } from '../../app.module';
import type { Configuration } from '../../platform/config/configuration';
import {
  checkTlsFiles,
  ConfigurationError,
  loadConfiguration,
} from '../../platform/config/load-configuration';
import { misspeltVariables } from '../../platform/config/variable-names';
import { openEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres';
import { migrationName } from '../../platform/persistence/migration-names';
import {
  SESSION_NEEDED,
  SHARED_SESSIONS,
  sharesSessions,
} from '../../platform/persistence/transaction-pooling';
import { withConnection } from '../../platform/persistence/with-connection';
import { CompositionError } from '../../platform/composition-error';
import { loadComposition } from '../../service/load-composition';
import { checkAddress, checkCertificate } from './check-address';
import { checkDatabase } from './check-database';
import { checkExtensions, extensionsProblem, subscribersOf } from './check-extensions';
import { checkDescriptors, checkDisk, checkNode } from './check-machine';
import { checkEncryptionKey, checkMail, checkRedis } from './check-services';
import { readDatabaseFacts } from './database-facts';
import { type Finding, findingsOf } from './finding';

const configured = findingsOf('configuration');
const database = findingsOf('database');

/** Checks everything that a service with these variables depends on. Changes nothing. */
export async function examine(environment: Record<string, string | undefined>): Promise<Finding[]> {
  const machine = [...checkNode(process.versions.node), ...checkDescriptors()];
  try {
    const configuration = loadConfiguration(environment);
    checkTlsFiles(configuration);
    const misspelt = misspeltVariables(environment).map((hint) =>
      configured.warning(hint, 'Correct its name, or remove it if it is meant for another program.'),
    );
    const variables = [configured.ok('All variables are valid.'), ...misspelt];
    const composition = await loadComposition();
    return [...machine, ...variables, ...(await examineAll(configuration, composition))];
  } catch (error) {
    if (error instanceof CompositionError) return [...machine, extensionsProblem(error)];
    if (!(error instanceof ConfigurationError)) throw error;
    const remedy =
      'Correct the variable (docs/operating.md lists them all), then run the doctor again for the other checks.';
    return [...machine, ...error.problems.map((problem) => configured.problem(`${problem}.`, remedy))];
  }
}

async function examineAll(configuration: Configuration, composition: Composition): Promise<Finding[]> {
  const services = await Promise.all([
    examineDatabase(configuration, composition),
    checkRedis(configuration),
    checkMail(configuration, composition),
  ]);
  return [
    checkExtensions(composition),
    ...checkDisk(configuration),
    ...checkAddress(configuration),
    ...checkCertificate(configuration, new Date()),
    ...services.flat(),
  ];
}

async function examineDatabase(configuration: Configuration, composition: Composition): Promise<Finding[]> {
  const { databaseUrl, dataDirectory } = configuration;
  if (databaseUrl) return examineAt(databaseUrl, configuration, composition);
  if (!existsSync(join(dataDirectory, 'postgres'))) {
    return [database.ok('The first start creates the embedded PostgreSQL.')];
  }
  const embedded = await openEmbeddedPostgres({ dataDirectory, role: 'command' });
  try {
    return await examineAt(embedded.url, configuration, composition);
  } finally {
    await embedded.stop();
  }
}

async function examineAt(
  url: string,
  configuration: Configuration,
  composition: Composition,
): Promise<Finding[]> {
  try {
    if (await sharesSessions(url)) return [database.problem(SHARED_SESSIONS, SESSION_NEEDED)];
    return await withConnection(url, 'gala-doctor', async (query) => {
      const facts = await readDatabaseFacts(query);
      const { extensions = [] } = composition;
      const added = extensions.flatMap((extension) => extension.migrations ?? []);
      const findings = checkDatabase(facts, {
        migrations: [...migrations, ...added].map(migrationName),
        subscribers: await subscribersOf(url, configuration, composition),
      });
      return facts.backlog ? [...findings, ...(await checkEncryptionKey(configuration, query))] : findings;
    });
  } catch (error) {
    if (error instanceof CompositionError) throw error;
    const { message } = error as Error;
    return [
      database.problem(
        message,
        'Check that the server is running, and that host, port, name, user and password are correct.',
      ),
    ];
  }
}
