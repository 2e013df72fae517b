// Everything that has to hold before a commit, as many checks side by side as there are cores: npm run check.
// With --static the unit tests are left out, for where all tests run next.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';

const types = 'the types of the SDK';

/** The slowest first. `after` names the check whose result it reads. */
const CHECKS = [
  { name: types, command: 'npm run sdk:types' },
  { name: 'lint', command: 'eslint .', after: types },
  { name: 'build', command: 'npm run build', after: types },
  { name: 'types', command: 'tsc --noEmit && tsc --noEmit -p sdk', after: types },
  { name: 'unit tests', command: 'npm run test:unit', skip: process.argv.includes('--static') },
  { name: 'format', command: 'npm run format:check' },
  { name: 'openapi.json', command: 'npm run openapi:check', after: 'build' },
  { name: 'walls', command: 'npm run walls' },
  { name: 'lint of openapi.json', command: 'npm run openapi:lint' },
  { name: 'drawing of the architecture', command: 'npm run architecture:check' },
];

const root = join(import.meta.dirname, '..');
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };
const waiting = CHECKS.filter(({ skip }) => !skip);
const passed = new Set();
const failed = [];
let running = 0;

function startWhatCan() {
  while (running < availableParallelism()) {
    const index = waiting.findIndex(({ after }) => !after || passed.has(after));
    if (index === -1) break;
    run(...waiting.splice(index, 1));
  }
  if (running === 0) finish();
}

function run({ name, command }) {
  running++;
  const startedAt = Date.now();
  const child = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  child.on('close', (code) => {
    running--;
    const seconds = `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
    if (code === 0) {
      passed.add(name);
      console.log(`ok      ${name} (${seconds})`);
    } else {
      failed.push(name);
      console.log(`FAILED  ${name} (${seconds}): ${command}\n${output}`);
    }
    startWhatCan();
  });
}

function finish() {
  for (const { name, after } of waiting) console.log(`skipped ${name}: ${after} failed`);
  if (failed.length === 0) return;
  console.log(`\nFailed: ${failed.join(', ')}. What each printed is above.`);
  process.exitCode = 1;
}

startWhatCan();
