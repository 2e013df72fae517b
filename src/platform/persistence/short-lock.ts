import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs statements that lock whole tables, in one transaction. Writers queue behind a statement that waits for a table lock,
 * so it gives up soon and lets them pass before it tries again.
 */
export async function inShortLock(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      for (const statement of statements) await runner.query(statement);
      await runner.commitTransaction();
      return;
    } catch (error) {
      await runner.rollbackTransaction();
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      await sleep(LOCK_TIMEOUT_MS);
    }
  }
}
