'use strict';
// npm run new:module -- <names> [--singular <name>] [--prefix <prefix>]
// Generates a module in the style of the others, wired in and tested: a resource with a name that is created, read,
// changed and listed, with an event for each change. The result is a starting point to be changed.
const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { parseArgs } = require('node:util');
const prettier = require('prettier');
const { fill, resourceFiles, wordsFor } = require('../scaffold/words');

const root = process.cwd();
const OWN = join(__dirname, 'new-module');
const SHARED = join(__dirname, '../scaffold/templates');
const FIELD_TEMPLATES = ['entity', 'schema', 'dto', 'migration'].map((name) => `${name}.ts.template`);

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});

async function main() {
  const words = readWords();
  const files = targets(words);
  const taken = [`src/modules/${words.names}`, ...Object.keys(files)].find((path) =>
    existsSync(join(root, path)),
  );
  if (taken) throw new Error(`${taken} is there already.`);
  const added = Object.entries(files).map(([path, template]) => [path, fill(template, words)]);
  // Write nothing before all insertions are known to succeed.
  const all = [...added, ...wiring(words)];
  const options = JSON.parse(readFileSync(join(root, '.prettierrc.json'), 'utf8'));
  for (const [path, text] of all) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), await prettier.format(text, { ...options, parser: 'typescript' }));
    console.log(path);
  }
  console.log(`
Next: add fields to a ${words.words}. Each field touches four files, and tests:
  ${Object.keys(files)
    .filter((path) => FIELD_TEMPLATES.includes(basename(files[path])))
    .join('\n  ')}
Then run
  npm run openapi                                                     updates openapi.json
  npm run check
  npm test -- 'test/(${words.names}|pipeline/route-sweep)'
  npm run test:slow -- test/migrations
Name the new scopes and events in docs and CHANGELOG.md.`);
}

function readWords() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { singular: { type: 'string' }, prefix: { type: 'string' } },
  });
  const names = positionals.length === 1 ? positionals[0] : undefined;
  const words = wordsFor(names, values, 'npm run new:module -- price-lists');
  return { ...words, timestamp: nextTimestamp() };
}

/** The current time, or one millisecond after the last migration if that is in the future. */
function nextTimestamp() {
  const last = Math.max(...readdirSync(join(root, 'migrations')).map((name) => parseInt(name, 10) || 0));
  return String(Math.max(Date.now(), last + 1));
}

/** The templates of the module, by the paths of the files that they become. */
function targets(words) {
  const { names, name, timestamp } = words;
  const module = `src/modules/${names}`;
  const shared = Object.entries(resourceFiles(words)).map(([path, template]) => [
    `${module}/${path}`,
    join(SHARED, template),
  ]);
  return {
    [`${module}/index.ts`]: join(OWN, 'index.ts.template'),
    [`${module}/${names}.module.ts`]: join(OWN, 'module.ts.template'),
    [`${module}/domain/${name}.spec.ts`]: join(OWN, 'entity.spec.ts.template'),
    ...Object.fromEntries(shared),
    [`migrations/${timestamp}-${names}.ts`]: join(SHARED, 'migration.ts.template'),
    [`test/${names}/${names}.spec.ts`]: join(OWN, 'e2e.spec.ts.template'),
  };
}

/** The files that list all modules, with the new one added. */
function wiring({ names, camelNames, Names, timestamp, prefix }) {
  const migration = `${Names}${timestamp}`;
  return [
    insert('src/features.ts', [
      [/(?=import .* from '\.\/modules\/shell';)/, `import { ${camelNames} } from './modules/${names}';\n`],
      [/(?= {2}shell,\n\];)/, `  ${camelNames},\n`],
    ]),
    insert('migrations/index.ts', [
      [/(?=\n\/\*\* In the order)/, `import { ${migration} } from './${timestamp}-${names}';\n`],
      [/(?=\];\s*$)/, `  ${migration},\n`],
    ]),
    insert('test/support/route-sweep.ts', [[/(?= +delivery: 'del',)/, `  '/v1/${names}': '${prefix}',\n`]]),
  ];
}

function insert(path, insertions) {
  let text = readFileSync(join(root, path), 'utf8');
  for (const [place, line] of insertions) {
    if (!place.test(text))
      throw new Error(`${path} has no place for ${line.trim()}: its content differs from what was expected.`);
    text = text.replace(place, () => line);
  }
  return [path, text];
}
