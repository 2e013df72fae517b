import type { Mode } from '../../src/kernel/principal';
import type { Client } from './http-client';
import { startGala, type TestGala, type TestWorkspace } from './start-gala';

interface Surroundings {
  gala: TestGala;
  workspace: TestWorkspace;
  /** Has every scope. */
  client: Client;
}

/** Starts one service for the tests of a file, and gives each of them a workspace of its own. */
export function giveEachTestAWorkspace(take: (given: Surroundings) => void, mode: Mode = 'live'): void {
  let gala: TestGala;
  beforeAll(async () => {
    gala = await startGala();
  });
  afterAll(() => gala.stop());
  beforeEach(async () => {
    const workspace = await gala.createWorkspace();
    take({ gala, workspace, client: await workspace.client(mode) });
  });
}
