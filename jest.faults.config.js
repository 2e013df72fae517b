const { tmpdir } = require('node:os');
const [, e2e] = require('./jest.config').projects;

// On a disk, as services have theirs, and not in memory: see test/support/temporary-files.ts.
process.env.TMPDIR ??= tmpdir();

/**
 * What takes minutes: services in processes of their own that are killed, flooded and starved. One file at a time, since
 * some of them measure.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...e2e,
  displayName: 'faults',
  testMatch: ['<rootDir>/test/faults/**/*.spec.ts'],
  // Machines are slow at times; no test measures time by this.
  testTimeout: 900_000,
  maxWorkers: 1,
};
