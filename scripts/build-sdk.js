'use strict';
// Compiles the SDK, whose types are generated already, to ES modules in dist and to CommonJS in dist/cjs.
// `node scripts/build-sdk.js <folder>` compiles a copy of it.
const { execFileSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const sdk = resolve(process.argv[2] ?? join(__dirname, '../sdk'));
const compiler = require.resolve('typescript/bin/tsc');
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  execFileSync(process.execPath, [compiler, '-p', project], { cwd: sdk, stdio: 'inherit' });
}
// Node and TypeScript read from it that the files beside it aren't ES modules.
writeFileSync(join(sdk, 'dist/cjs/package.json'), '{"type": "commonjs"}\n');
