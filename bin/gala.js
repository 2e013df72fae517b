#!/usr/bin/env node
'use strict';
// Builds when there is no build, or when the sources are newer, so that a fresh clone needs one command.
const { execFileSync } = require('node:child_process');
const { existsSync, readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const entry = join(root, 'dist', 'src', 'cli', 'main.js');

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return path.endsWith('.spec.ts') ? 0 : stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function buildIsStale() {
  if (!existsSync(join(root, 'src'))) return false;
  const builtAt = statSync(entry, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return ['src', 'migrations', 'ormconfig.ts', 'package-lock.json'].some(
    (name) => newest(join(root, name)) > builtAt,
  );
}

if (buildIsStale()) {
  process.stderr.write('Building Gala (once, about 10 seconds) …\n');
  execFileSync(process.execPath, [require.resolve('@nestjs/cli/bin/nest.js'), 'build'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}
// V8 would let its heap triple before it collects what requests leave behind: a third more memory for no speed.
require('node:v8').setFlagsFromString('--heap-growing-percent=50');
require(entry);
