import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Finished, ROOT, WorkingDirectory } from '../support/gala-process';

jest.setTimeout(30_000);

/**
 * A project in small around the real launcher. Its compiler does what the real one does, in a moment: it empties
 * `dist`, and then writes file after file, the entry before what the entry needs. It fails when a source says so.
 */
const COMPILER = `
  const fs = require('node:fs');
  const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  fs.appendFileSync('builds.log', 'build\\n');
  const source = fs.readFileSync('src/word.txt', 'utf8');
  if (source === 'broken') {
    process.stderr.write('src/word.txt: error TS1005\\n');
    process.exit(1);
  }
  fs.rmSync('dist', { recursive: true, force: true });
  pause(200);
  fs.mkdirSync('dist/src/cli', { recursive: true });
  fs.writeFileSync('dist/src/cli/main.js', "console.log('Says ' + require('../word.js'));");
  pause(200);
  fs.writeFileSync('dist/src/word.js', 'module.exports = ' + JSON.stringify(source));
`;

let directory: WorkingDirectory;
let project: string;
let elsewhere: string;

beforeEach(() => {
  directory = new WorkingDirectory();
  project = join(directory.path, 'project');
  elsewhere = join(directory.path, 'elsewhere');
  mkdirSync(elsewhere);
  for (const folder of ['bin', 'src', 'migrations', 'node_modules/@nestjs/cli/bin']) {
    mkdirSync(join(project, folder), { recursive: true });
  }
  cpSync(join(ROOT, 'bin'), join(project, 'bin'), { recursive: true });
  for (const file of ['ormconfig.ts', 'package.json', 'package-lock.json'])
    writeFileSync(join(project, file), '{}');
  writeFileSync(join(project, 'node_modules/@nestjs/cli/bin/nest.js'), COMPILER);
  writeFileSync(
    join(project, 'node_modules/@nestjs/cli/package.json'),
    '{"name": "@nestjs/cli", "version": "1.0.0"}',
  );
  write('one');
});
afterEach(() => directory.clear());

function write(word: string): void {
  writeFileSync(join(project, 'src/word.txt'), word);
}

const launch = (): Promise<Finished> => directory.run([], { project, cwd: elsewhere });
const builds = () => readFileSync(join(project, 'builds.log'), 'utf8').match(/build/g)!.length;

test('builds when there is no build, and again only when a source is newer', async () => {
  const first = await launch();
  expect(first).toMatchObject({ code: 0, stdout: 'Says one\n' });
  expect(first.stderr).toMatch(/^Building Gala/);
  expect(await launch()).toMatchObject({ code: 0, stdout: 'Says one\n', stderr: '' });
  expect(builds()).toBe(1);

  write('two');
  const later = new Date(Date.now() + 2_000);
  utimesSync(join(project, 'src/word.txt'), later, later);
  expect(await launch()).toMatchObject({ code: 0, stdout: 'Says two\n' });
  expect(builds()).toBe(2);
});

test('several that start in quick succession on a fresh clone all run', async () => {
  const launched = [];
  for (let count = 0; count < 4; count++) {
    launched.push(launch());
    await sleep(150);
  }
  for (const finished of await Promise.all(launched)) {
    expect(finished).toMatchObject({ code: 0, stdout: 'Says one\n' });
  }
});

test('a build that was killed halfway is made anew', async () => {
  const killed = directory.start([], { project, cwd: elsewhere });
  while (!existsSync(join(project, 'dist/src/cli/main.js'))) await sleep(5);
  killed.signalGroup('SIGKILL');
  await killed.finished;
  expect(existsSync(join(project, 'dist/src/word.js'))).toBe(false);
  expect(await launch()).toMatchObject({ code: 0, stdout: 'Says one\n' });
});

test('a build that fails shows what the compiler said, and no stack trace', async () => {
  write('broken');
  const { code, stdout, stderr } = await launch();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('error TS1005');
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('without the compiler and without a build it says what to do', async () => {
  rmSync(join(project, 'node_modules'), { recursive: true });
  const { code, stderr } = await launch();
  expect(code).toBe(1);
  // Where NODE_ENV is production, `npm ci` alone installs no compiler.
  expect(stderr).toMatch(/npm ci --include=dev/);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('a finished build needs neither the sources nor the compiler', async () => {
  await launch();
  rmSync(join(project, 'src'), { recursive: true });
  rmSync(join(project, 'node_modules'), { recursive: true });
  chmodSync(project, 0o555);
  expect(await launch()).toMatchObject({ code: 0, stdout: 'Says one\n', stderr: '' });
});
