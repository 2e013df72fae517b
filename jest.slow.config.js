const { projects, ...common } = require('./jest.config');
const SLOW = require('./test/slow-tests');

const [, e2e] = projects;

/** @type {import('jest').Config} */
module.exports = {
  ...common,
  projects: [{ ...e2e, displayName: 'slow', testMatch: SLOW.map((glob) => `<rootDir>/${glob}`) }],
};
