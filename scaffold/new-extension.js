'use strict';
// Writes a package with an extension of Gala: `npx gala new-extension vendors`.
const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { basename, dirname, join, relative, resolve } = require('node:path');
const gala = require('../package.json');
const { fill, resourceFiles, wordsFor } = require('./words');

/** Names that Gala's own routes, scopes, pages or events have. */
const RESERVED = [
  ...['api-keys', 'apps', 'audit-log', 'availability', 'calendar', 'calendar-events', 'changes', 'channels'],
  ...[
    'events',
    'exports',
    'installations',
    'invitations',
    'leads',
    'me',
    'members',
    'messages',
    'oauth',
    'pipeline',
  ],
  ...['figures', 'reports', 'response-target'],
  ...['proposals', 'request-log', 'settings', 'spaces', 'users', 'visits', 'webhooks', 'workspaces'],
  ...['hold-policy', 'holds'],
  ...['activities', 'assignment', 'automations', 'fields', 'lead-fields', 'lost-reasons', 'stages'],
  ...['tasks', 'timeline'],
  'files',
  'imports',
];

const PEERS = ['@nestjs/common', '@nestjs/swagger', 'gala', 'preact', 'typeorm'];

/**
 * @param {{ names?: string, folder?: string, singular?: string, prefix?: string }} options `folder` defaults to `gala-<names>`
 * @param {string} directory the working directory
 * @returns {{ folder: string, files: string[], hasGala: boolean }} `hasGala` says whether npm knows where Gala comes from
 */
function newExtension({ names, folder = `gala-${names}`, ...options }, directory) {
  const words = {
    ...wordsFor(names, options, 'npx gala new-extension price-lists'),
    timestamp: String(Date.now()),
    table: `ext_${names.replaceAll('-', '_')}`,
  };
  if (RESERVED.includes(names)) throw new Error(`Gala itself has ${names}. Choose another name.`);
  const target = resolve(directory, folder);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new Error(`${folder} exists already and isn’t empty. Choose another folder.`);
  }
  const source = galaSource(directory, target);
  const files = filesOf(words, { name: basename(target), source });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
  return { folder, files: Object.keys(files), hasGala: source !== undefined };
}

function filesOf(words, { name, source }) {
  const { names, timestamp } = words;
  const shared = (template) => usePackage(fill(join(__dirname, 'templates', template), words));
  const own = (template) => fill(join(__dirname, 'extension', `${template}.template`), words);
  const resource = Object.entries(resourceFiles(words)).map(([path, template]) => [
    `src/${path}`,
    shared(template),
  ]);
  return {
    'package.json': `${JSON.stringify(packageJson(words, name, source), null, 2)}\n`,
    'tsconfig.json': own('tsconfig.json'),
    'gala.config.js': own('gala.config.js'),
    '.gitignore': own('gitignore'),
    'README.md': own('README.md'),
    [`src/${names}.ts`]: own('feature.ts'),
    [`src/${names}.module.ts`]: own('module.ts'),
    ...Object.fromEntries(resource),
    [`src/pages/${names}-page.tsx`]: own('page.tsx'),
    [`src/pages/${names}-pages.controller.tsx`]: own('pages.controller.tsx'),
    [`migrations/${timestamp}-${names}.ts`]: shared('migration.ts.template'),
    [`test/${names}.test.ts`]: own('test.ts'),
  };
}

/** Peers have Gala's versions, so that npm installs one copy of each. */
function packageJson({ names: plural, manyWords }, name, source) {
  const versions = { ...gala.devDependencies, ...gala.dependencies, gala: gala.version };
  const pick = (names, range = '') => Object.fromEntries(names.map((each) => [each, range + versions[each]]));
  return {
    name,
    version: '0.1.0',
    description: `An extension of Gala: ${manyWords}.`,
    private: true,
    type: 'commonjs',
    engines: gala.engines,
    main: `dist/src/${plural}.js`,
    types: `dist/src/${plural}.d.ts`,
    files: ['dist/src', 'dist/migrations'],
    scripts: {
      build: 'tsc',
      prepack: 'tsc',
      start: 'tsc && gala serve',
      test: `tsc && node --test dist/test/${plural}.test.js`,
    },
    peerDependencies: pick(PEERS, '^'),
    devDependencies: {
      ...pick(['@types/express', '@types/node']),
      ...(source && { gala: source }),
      ...pick(['typescript']),
    },
  };
}

/** Where the package.json of the working directory has Gala from, as the new folder sees it. */
function galaSource(directory, target) {
  const file = join(directory, 'package.json');
  if (!existsSync(file)) return undefined;
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  const source = dependencies?.gala ?? devDependencies?.gala;
  if (!source?.startsWith('file:')) return source;
  const path = resolve(directory, source.slice('file:'.length));
  return `file:${relative(target, path).replaceAll('\\', '/')}`;
}

/** Merges the imports from Gala's folders into one import from its package. */
function usePackage(text) {
  const own =
    /^import (type )?(?:\{([^}]*)\}|\* as (\w+)) from '(?:\.\.\/)+(?:kernel|platform|modules)\/[^']+';\n/gm;
  const names = new Map();
  for (const [, type, list, space] of text.matchAll(own)) {
    for (const entry of (list ?? space).split(',')) {
      const name = entry.trim().replace(/^type /, '');
      if (name) names.set(name, type || entry.trim() !== name ? `type ${name}` : name);
    }
  }
  const sorted = [...names]
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([, entry]) => entry);
  let isFirst = true;
  return text.replace(own, () => {
    if (!isFirst) return '';
    isFirst = false;
    return importOf(sorted);
  });
}

function importOf(entries) {
  const onlyTypes = entries.every((entry) => entry.startsWith('type '));
  const names = onlyTypes ? entries.map((entry) => entry.slice('type '.length)) : entries;
  const head = onlyTypes ? 'import type' : 'import';
  const line = `${head} { ${names.join(', ')} } from 'gala';\n`;
  return line.length <= 100
    ? line
    : `${head} {\n${names.map((name) => `  ${name},\n`).join('')}} from 'gala';\n`;
}

module.exports = { newExtension, RESERVED };
