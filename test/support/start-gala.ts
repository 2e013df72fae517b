import { type InstanceOptions, startInstance, type TestInstance } from '../../src/testing/test-instance';
import { createDatabase } from './database';

export type { TestInstance as TestGala } from '../../src/testing/test-instance';
export type { TestWorkspace } from '../../src/testing/test-workspace';

/** The whole service in this process, on a port and a database of its own (or on `databaseUrl`), without background jobs. */
export async function startGala(options: Partial<InstanceOptions> = {}): Promise<TestInstance> {
  const own = options.databaseUrl ? undefined : await createDatabase();
  const instance = await startInstance({ ...options, databaseUrl: options.databaseUrl ?? own!.url });
  return {
    ...instance,
    async stop() {
      await instance.stop();
      await own?.drop();
    },
  };
}
