import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
/** Together less than the 5 s that requests wait for locks which the caller's transaction may hold. */
const ATTEMPTS_IN_TRANSACTION = 5;

/**
 * Runs statements that lock whole tables, in one transaction. Writers queue behind a statement that waits for a table lock,
 * so it gives up soon and lets them pass before it tries again.
 *
 * @throws Error, within a transaction of the caller, after five attempts. Its earlier statements remain.
 */
export async function inShortLock(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  const attempts = runner.isTransactionActive ? ATTEMPTS_IN_TRANSACTION : Infinity;
  for (let attempt = 1; ; attempt++) {
    // Within a transaction this is a savepoint.
    await runner.startTransaction();
    try {
      const [before] = (await runner.query("SELECT current_setting('lock_timeout') AS timeout")) as [
        { timeout: string },
      ];
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      for (const statement of statements) await runner.query(statement);
      await runner.query(`SET LOCAL lock_timeout = '${before.timeout}'`);
      await runner.commitTransaction();
      return;
    } catch (error) {
      await runner.rollbackTransaction();
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (attempt === attempts) throw noLock(statements, error);
      await sleep(LOCK_TIMEOUT_MS);
    }
  }
}

function noLock(statements: readonly string[], cause: unknown): Error {
  return new Error(
    `A long transaction or a vacuum held a lock that the migration needs, ${ATTEMPTS_IN_TRANSACTION} times in a row. Run the migration again when it has ended. The statements were: ${statements.join('; ')}`,
    { cause },
  );
}
