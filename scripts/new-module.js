'use strict';
// npm run new:module -- <names> [--singular <name>] [--prefix <prefix>]
// Generates a module in the style of the others, wired in and tested: a resource with a name that is created, read and
// listed, with an event for its creation. The result is a starting point to be changed.
const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { parseArgs } = require('node:util');
const prettier = require('prettier');

const root = process.cwd();
const templates = join(__dirname, 'new-module');
const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const FIELD_TEMPLATES = ['entity', 'schema', 'dto', 'migration'].map((name) => `${name}.ts.template`);

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});

async function main() {
  const words = readWords();
  const files = targets(words);
  const taken = [`src/modules/${words.names}`, ...Object.values(files)].find((path) =>
    existsSync(join(root, path)),
  );
  if (taken) throw new Error(`${taken} is there already.`);
  const added = Object.entries(files).map(([template, path]) => [
    path,
    fill(readFileSync(join(templates, template), 'utf8'), words),
  ]);
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
  ${FIELD_TEMPLATES.map((template) => files[template]).join('\n  ')}
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
  const [names] = positionals;
  if (positionals.length !== 1 || !KEBAB.test(names)) {
    throw new Error('Say what it is for, in the plural and in lower case: npm run new:module -- price-lists');
  }
  const name = values.singular ?? names.replace(/ies$/, 'y').replace(/(?<=(?:x|ch|sh|ss))es$|s$/, '');
  if (!KEBAB.test(name) || name === names) {
    throw new Error(`What is one of the ${names}? Add --singular <name>.`);
  }
  const prefix = values.prefix ?? name.replaceAll('-', '');
  if (!/^[a-z]{2,12}$/.test(prefix))
    throw new Error(`Its ids need a short prefix. Add --prefix <2 to 12 letters>.`);
  const pascal = (text) => text.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());
  const camel = (text) => text.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const manyWords = names.replaceAll('-', ' ');
  return {
    names,
    name,
    prefix,
    Names: pascal(names),
    Name: pascal(name),
    camelNames: camel(names),
    camelName: camel(name),
    words: name.replaceAll('-', ' '),
    manyWords,
    ManyWords: manyWords.charAt(0).toUpperCase() + manyWords.slice(1),
    snake: name.replaceAll('-', '_'),
    NAME: name.replaceAll('-', '_').toUpperCase(),
    table: names.replaceAll('-', '_'),
    timestamp: nextTimestamp(),
  };
}

/** The current time, or one millisecond after the last migration if that is in the future. */
function nextTimestamp() {
  const last = Math.max(...readdirSync(join(root, 'migrations')).map((name) => parseInt(name, 10) || 0));
  return String(Math.max(Date.now(), last + 1));
}

function targets({ names, name, timestamp }) {
  const module = `src/modules/${names}`;
  return {
    'index.ts.template': `${module}/index.ts`,
    'module.ts.template': `${module}/${names}.module.ts`,
    'entity.ts.template': `${module}/domain/${name}.ts`,
    'entity.spec.ts.template': `${module}/domain/${name}.spec.ts`,
    'create.ts.template': `${module}/application/create-${name}.ts`,
    'queries.ts.template': `${module}/application/${name}-queries.ts`,
    'repository.ts.template': `${module}/application/${name}-repository.ts`,
    'schema.ts.template': `${module}/infrastructure/${name}.schema.ts`,
    'postgres-repository.ts.template': `${module}/infrastructure/${name}.repository.ts`,
    'dto.ts.template': `${module}/http/${name}.dto.ts`,
    'controller.ts.template': `${module}/http/${names}.controller.ts`,
    'migration.ts.template': `migrations/${timestamp}-${names}.ts`,
    'e2e.spec.ts.template': `test/${names}/${names}.spec.ts`,
  };
}

function fill(template, words) {
  return template.replace(/\{\{(\w+)\}\}/g, (_, key) => {
    if (!(key in words)) throw new Error(`A template uses the unknown word ${key}.`);
    return words[key];
  });
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
