import { spawnSync } from 'node:child_process';
import { findBrowser } from './find-browser';

/** What some tests need beside Node, and where it comes from. */
const REQUIREMENTS = {
  browser:
    'Chromium (apt-get install chromium; brew install --cask chromium; or set CHROMIUM_PATH to any Chromium or Chrome)',
  'redis-server': 'Redis (apt-get install redis-server; brew install redis)',
  python3: 'Python 3 (apt-get install python3; brew install python)',
  khal: 'the calendar program khal (apt-get install khal; pipx install khal)',
  bash: 'Bash (apt-get install bash; brew install bash)',
  curl: 'curl (apt-get install curl; brew install curl)',
  git: 'Git (apt-get install git; brew install git)',
  openssl: 'OpenSSL (apt-get install openssl; brew install openssl)',
  tar: 'tar with gzip (apt-get install tar gzip)',
};
export type Requirement = keyof typeof REQUIREMENTS;

const MISSING = 'GALA_TEST_MISSING';

/**
 * Looks once, before all tests, for what they need, and says in one line each what is missing: tests that need it are skipped. On
 * CI nothing may be skipped, so it throws there.
 */
export function findRequirements(): void {
  const all = Object.keys(REQUIREMENTS) as Requirement[];
  const missing = all.filter((requirement) => !isThere(requirement));
  process.env[MISSING] = missing.join();
  const lines = missing.map((each) => `Tests are skipped that need ${REQUIREMENTS[each]}.`);
  if (lines.length && process.env.CI === 'true')
    throw new Error(`On CI no test is skipped.\n${lines.join('\n')}`);
  for (const line of lines) process.stderr.write(`${line}\n`);
}

function isThere(requirement: Requirement): boolean {
  if (requirement === 'browser') return findBrowser() !== undefined;
  return spawnSync(requirement, ['--version'], { stdio: 'ignore' }).error === undefined;
}

export function isMissing(requirement: Requirement): boolean {
  return process.env[MISSING]!.split(',').includes(requirement);
}

/** `test`, or `test.skip` where something is missing. */
export function testWith(...requirements: Requirement[]): jest.It {
  return requirements.some(isMissing) ? test.skip : test;
}

/** Called before all else in a file, skips every test of it where something is missing. */
export function fileNeeds(...requirements: Requirement[]): void {
  if (!requirements.some(isMissing)) return;
  const nothing = () => undefined;
  Object.assign(globalThis, {
    test: test.skip,
    describe: describe.skip,
    beforeAll: nothing,
    beforeEach: nothing,
    afterEach: nothing,
    afterAll: nothing,
  });
}
