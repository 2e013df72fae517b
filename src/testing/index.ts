/**
 * `gala/testing`: runs the service with a team's extensions in a test, under any test runner. Its exports are public like those
 * of extension.ts; docs/extending.md shows them.
 */

import '../platform/one-copy';

export { Browser, type FormFields } from './browser';
export { type Answer, Client, type RequestOptions } from './client';
export { startPostgres, type TestPostgres } from './database';
export { Mailbox } from './mailbox';
export { startGala, type TestGala, type TestOptions } from './start-gala';
export { TestClock } from './test-clock';
export type { TestWorkspace } from './test-workspace';
export { eventually, until } from './until';
