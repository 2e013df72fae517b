const esm = { jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } }, module: { type: 'commonjs' } };
const typescript = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

/** Nest 12 is published as ES modules alone, so its packages go through SWC like our own sources. */
const base = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': ['@swc/jest', { swcrc: false, ...typescript }],
    '^.+\\.m?js$': ['@swc/jest', { swcrc: false, ...esm }],
  },
  transformIgnorePatterns: ['/node_modules/(?!(@nestjs)/)'],
};

/** @type {import('jest').Config} */
module.exports = {
  // Machines are slow at times; no test measures time by this.
  testTimeout: 30_000,
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/migrations/**/*.spec.ts'],
    },
    {
      ...base,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
      globalSetup: '<rootDir>/test/support/start-postgres.ts',
      globalTeardown: '<rootDir>/test/support/stop-postgres.ts',
    },
  ],
};
