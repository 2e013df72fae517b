'use strict';
// Makes sdk/src/schema.ts from openapi.json, unless it is newer than what it is made from.
const { execFileSync } = require('node:child_process');
const { readFileSync, statSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const changedAt = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

// The lock file stands for the generator.
const sources = ['openapi.json', 'package-lock.json'];
if (Math.max(...sources.map(changedAt)) >= changedAt('sdk/src/schema.ts')) {
  const generator = join(root, 'node_modules/openapi-typescript/bin/cli.js');
  const parameters = [generator, '../openapi.json', '-o', 'src/schema.ts'];
  execFileSync(process.execPath, parameters, { cwd: join(root, 'sdk'), stdio: 'inherit' });
  const types = join(root, 'sdk/src/schema.ts');
  writeFileSync(types, keepCompletion(readFileSync(types, 'utf8')));
}

/** Of known values or any other text, the compiler would keep the text alone, and editors would suggest none of the values. */
function keepCompletion(types) {
  const values = String.raw`\((?:"[^"]*"(?: \| )?)+\)`;
  return types.replace(
    new RegExp(`(${values}) \\| string\\b|\\bstring \\| (${values})`, 'g'),
    (_, before, after) => `${before ?? after} | (string & Record<never, never>)`,
  );
}
