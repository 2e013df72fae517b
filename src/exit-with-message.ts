import { PublicError } from './kernel/errors';
import { ConfigurationError } from './platform/config/load-configuration';
import { EmbeddedPostgresError } from './platform/embedded-postgres/embedded-postgres';
import { StartError } from './service';

const EXPECTED = [ConfigurationError, EmbeddedPostgresError, PublicError, StartError];
const DATABASE_AWAY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '28P01', '28000', '3D000'];

/** Ends the process: with the message alone where that says what to do, else with everything there is to know. */
export function exitWithMessage(error: unknown): never {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (EXPECTED.some((kind) => error instanceof kind)) {
    console.error((error as Error).message);
  } else if (typeof code === 'string' && DATABASE_AWAY.includes(code)) {
    console.error(
      `The database can't be reached (${code}): ${(error as Error).message}. Check DATABASE_URL.`,
    );
  } else {
    console.error(error);
  }
  process.exit(1);
}
