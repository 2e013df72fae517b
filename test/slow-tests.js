/**
 * Tests that start processes of the service, the command line or the packages, run every migration or every example of the
 * documentation, look at all of the API reference, or read query plans of many rows: `npm run test:slow`. .ci/run says which
 * changes they run for: those of a folder that is named like a module also for changes within that module.
 */
module.exports = [
  'test/**/*plans.spec.ts',
  'test/accounts/secrets.spec.ts',
  'test/leads/time-zones.spec.ts',
  'test/{cli,deploy,migrations,scripts,sdk,startup,tracing}/**/*.spec.ts',
  'test/browser/{reference,screenshots}.spec.ts',
  'test/docs/examples.spec.ts',
  'test/examples/*-package.spec.ts',
  'test/oauth/cli.spec.ts',
  'test/openapi/generated-client.spec.ts',
];
