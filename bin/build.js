'use strict';
// Builds dist from the sources: `npm run build`, or `gala` itself when there is no build or the sources are newer.
const { spawnSync } = require('node:child_process');
const {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const sources = [
  ...['src', 'migrations', 'ormconfig.ts', 'package-lock.json', 'tsconfig.build.json'],
  ...['sdk/src', 'sdk/package.json', 'openapi.json'],
].map((name) => join(root, name));
const sdkTypes = join(root, 'sdk/src/schema.ts');
// Written last. Without it, dist comes from an incomplete build.
const marker = join(root, 'dist', '.complete');
const lock = join(root, '.build.lock');

function buildIfStale() {
  if (!isStale()) return;
  withLock(() => {
    // Another process may have built while this one waited.
    if (isStale()) build();
  });
}

function isStale() {
  if (!existsSync(join(root, 'src'))) return false;
  const builtAt = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.some((path) => newest(path) > builtAt);
}

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return /\.spec\.tsx?$/.test(path) || path === sdkTypes ? 0 : stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function build() {
  const startedAt = new Date();
  process.stderr.write('Building Gala (takes about half a minute) …\n');
  rmSync(marker, { force: true });
  const { status } = spawnSync(process.execPath, [compiler(), 'build'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) fail('The build failed: see the messages above.');
  packSdk();
  writeFileSync(marker, '');
  // Files that were edited while the compiler ran may not be included.
  utimesSync(marker, startedAt, startedAt);
}

/** Packs the SDK, which the service offers for download. */
function packSdk() {
  if (!existsSync(join(root, 'sdk'))) return;
  const npm = (...args) =>
    spawnSync('npm', ['--silent', ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  const packed = npm('run', 'sdk').status === 0 && npm('pack', './sdk', '--pack-destination', 'dist');
  if (!packed || packed.status !== 0) fail('The SDK could not be built: see the messages above.');
  renameSync(join(root, 'dist', packed.stdout.trim().split('\n').at(-1)), join(root, 'dist/gala-sdk.tgz'));
}

function compiler() {
  try {
    return require.resolve('@nestjs/cli/bin/nest.js');
  } catch {
    return fail(
      'Gala is not built yet, and its compiler is not installed. Run `npm ci --include=dev` first, also with NODE_ENV=production.',
    );
  }
}

/** Allows one build at a time. The lock of a killed process is taken over. */
function withLock(work) {
  while (!takeLock()) {
    const holder = Number(readIfThere(lock));
    if (holder && !isAlive(holder)) rmSync(lock, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  process.once('exit', releaseLock);
  work();
  process.off('exit', releaseLock);
  releaseLock();
}

function takeLock() {
  try {
    const file = openSync(lock, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    return fail(`Gala has to be built, but ${root} can't be written to (${error.code}).`);
  }
}

function releaseLock() {
  rmSync(lock, { force: true });
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

module.exports = { buildIfStale };
if (require.main === module) withLock(build);
