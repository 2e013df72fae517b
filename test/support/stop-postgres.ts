import type { TestPostgres } from '../../src/testing/database';
import { removeTemporaryFiles } from './temporary-files';

export default async function stop(): Promise<void> {
  await (globalThis as unknown as { galaTestPostgres: TestPostgres }).galaTestPostgres.stop();
  removeTemporaryFiles();
}
