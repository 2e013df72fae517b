/**
 * Tests that start processes of the service, the command line or the packages, run every migration or every example of the
 * documentation, or look at all of the API reference: `npm run test:slow`. .ci/run says which changes they run for.
 */
module.exports = [
  'test/{cli,deploy,migrations,scripts,sdk,startup,tracing}/**/*.spec.ts',
  'test/browser/{reference,screenshots}.spec.ts',
  'test/docs/examples.spec.ts',
  'test/examples/*-package.spec.ts',
  'test/oauth/cli.spec.ts',
  'test/openapi/generated-client.spec.ts',
];
