import { PublicError } from '../kernel/errors';
import { CompositionError } from '../platform/composition-error';
import { ConfigurationError } from '../platform/config/load-configuration';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/embedded-postgres';
import { MissingPreviousKey, WrongEncryptionKey } from '../platform/encryption/secret-box';
import { PortUnavailable } from '../platform/http/listen';
import { DatabaseUnreachable } from '../platform/persistence/database-unreachable';
import { UnsuitablePooler } from '../platform/persistence/transaction-pooling';
import { WorkerFailed } from '../platform/workers/worker-pool';

/** Errors whose messages say what to do. */
const EXPECTED = [
  CompositionError,
  ConfigurationError,
  DatabaseUnreachable,
  UnsuitablePooler,
  EmbeddedPostgresError,
  MissingPreviousKey,
  PortUnavailable,
  PublicError,
  WorkerFailed,
  WrongEncryptionKey,
];

/** Ends the process. Expected errors print their message only, all others the whole error. */
export function exitWithMessage(error: unknown): never {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  console.error(isExpected ? (error as Error).message : error);
  process.exit(1);
}
