'use strict';
// The words and templates that `npm run new:module` and `npx gala new-extension` share.
const { readFileSync } = require('node:fs');

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The forms of a resource's name. Throws an error for people when it is none. */
function wordsFor(names, { singular, prefix: chosen }, example) {
  if (!KEBAB.test(names ?? '')) {
    throw new Error(`Say what it is for, in the plural and in lower case: ${example}`);
  }
  const name = singular ?? names.replace(/ies$/, 'y').replace(/(?<=(?:x|ch|sh|ss))es$|s$/, '');
  if (!KEBAB.test(name) || name === names) {
    throw new Error(`What is one of the ${names}? Add --singular <name>.`);
  }
  const prefix = chosen ?? name.replaceAll('-', '');
  if (!/^[a-z]{2,12}$/.test(prefix))
    throw new Error(`Its ids need a short prefix. Add --prefix <2 to 12 letters>.`);
  const pascal = (text) => text.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());
  const camel = (text) => text.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const words = name.replaceAll('-', ' ');
  const manyWords = names.replaceAll('-', ' ');
  return {
    names,
    name,
    prefix,
    Names: pascal(names),
    Name: pascal(name),
    camelNames: camel(names),
    camelName: camel(name),
    words,
    manyWords,
    ManyWords: capital(manyWords),
    snake: name.replaceAll('-', '_'),
    NAME: name.replaceAll('-', '_').toUpperCase(),
    NAMES: names.replaceAll('-', '_').toUpperCase(),
    table: names.replaceAll('-', '_'),
  };
}

/** The templates of a resource, by their paths in the folder of its module. */
function resourceFiles({ names, name }) {
  return {
    [`domain/${name}.ts`]: 'entity.ts.template',
    [`application/create-${name}.ts`]: 'create.ts.template',
    [`application/change-${name}.ts`]: 'change.ts.template',
    [`application/${name}-queries.ts`]: 'queries.ts.template',
    [`application/${name}-repository.ts`]: 'repository.ts.template',
    [`infrastructure/${name}.schema.ts`]: 'schema.ts.template',
    [`infrastructure/${name}.repository.ts`]: 'postgres-repository.ts.template',
    [`http/${name}.dto.ts`]: 'dto.ts.template',
    [`http/${names}.controller.ts`]: 'controller.ts.template',
  };
}

/** Reads a template, and replaces each `{{word}}`. */
function fill(file, words) {
  return readFileSync(file, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, key) => {
    if (!(key in words)) throw new Error(`${file} uses the unknown word ${key}.`);
    return words[key];
  });
}

module.exports = { fill, resourceFiles, wordsFor };
