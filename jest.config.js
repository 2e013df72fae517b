const { availableParallelism } = require('node:os');
const SLOW = require('./test/slow-tests');

const esm = { jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } }, module: { type: 'commonjs' } };
const typescript = ({ tsx }) => ({
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx, decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      react: { runtime: 'automatic', importSource: 'preact' },
    },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
});

/** Nest 12 and Preact 11 are published as ES modules alone, so they go through SWC like our own sources. */
const base = {
  // Modules are evaluated once for each worker, which takes less than half the time: see CONTRIBUTING.md.
  testEnvironment: '<rootDir>/test/support/jest/shared-environment.js',
  runtime: '<rootDir>/test/support/jest/shared-runtime.js',
  transform: {
    '^.+\\.ts$': ['@swc/jest', typescript({ tsx: false })],
    '^.+\\.tsx$': ['@swc/jest', typescript({ tsx: true })],
    '^.+\\.m?js$': ['@swc/jest', { swcrc: false, ...esm }],
  },
  // What the examples import is installed elsewhere; here it is our sources.
  moduleNameMapper: {
    '^gala$': '<rootDir>/src/extension.ts',
    '^gala/testing$': '<rootDir>/src/testing/index.ts',
  },
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json', 'node'],
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|preact|openid-client|oauth4webapi|jose|dinero\\.js|marked)/)',
  ],
};

/** @type {import('jest').Config} */
module.exports = {
  // Machines are slow at times; no test measures time by this.
  testTimeout: 60_000,
  // One more than cores, since the tests mostly wait: for PostgreSQL, which they share, hence no more than four.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/src/**/*.spec.{ts,tsx}', '<rootDir>/migrations/**/*.spec.ts'],
    },
    {
      ...base,
      displayName: 'e2e',
      testMatch: [
        '<rootDir>/test/**/*.spec.{ts,tsx}',
        '<rootDir>/examples/*/test/**/*.spec.ts',
        '!**/test/faults/**',
        ...SLOW.map((glob) => `!**/${glob}`),
      ],
      globalSetup: '<rootDir>/test/support/start-postgres.ts',
      globalTeardown: '<rootDir>/test/support/stop-postgres.ts',
    },
  ],
};
