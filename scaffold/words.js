'use strict';
// The words and templates that `npm run new:module` and `npx gala new-extension` share.
const { readFileSync } = require('node:fs');

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Words that can't name a variable in a module (ECMA-262 section 12.7.2). */
const RESERVED_WORDS = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
   finally for function if implements import in instanceof interface let new null package private protected public return
   static super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

const CHOOSE = 'Choose another name, or add --singular <name>.';

/** The forms of a resource's name. Throws an error for people when it is none. */
function wordsFor(names, { singular, prefix: chosen }, example) {
  if (!KEBAB.test(names ?? '')) {
    throw new Error(`Say what it is for, in the plural and in lower case: ${example}`);
  }
  const name = singular ?? names.replace(/ies$/, 'y').replace(/(?<=(?:x|ch|sh|ss))es$|s$/, '');
  if (!KEBAB.test(name) || name === names) {
    throw new Error(`What is one of the ${names}? Add --singular <name>.`);
  }
  const reserved = [name, names].find((word) => RESERVED_WORDS.has(word));
  if (reserved) throw new Error(`JavaScript reserves the word ${reserved}. ${CHOOSE}`);
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

/** Reads a template, and replaces each `{{word}}`. Throws an error for people when a name would have two meanings in it. */
function fill(file, words) {
  const template = readFileSync(file, 'utf8');
  const fillText = (text) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, key) => {
      if (!(key in words)) throw new Error(`${file} uses the unknown word ${key}.`);
      return words[key];
    });
  if (/\.tsx?\.template$/.test(file)) {
    const { fixed, open } = identifiersOf(template);
    const taken = open.map(fillText).find((identifier) => fixed.includes(identifier));
    if (taken) throw new Error(`The generated code uses ${taken} for something else. ${CHOOSE}`);
  }
  return fillText(template);
}

/** The identifiers of a template: fixed ones, such as imports and globals, and those with a form of the resource's name. */
function identifiersOf(template) {
  const code = template.replace(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, ' ');
  const identifiers = code.match(/(?:[\w$]|\{\{\w+\}\})+/g);
  return {
    fixed: identifiers.filter((identifier) => !identifier.includes('{{')),
    open: identifiers.filter((identifier) => /\{\{(?:Names?|NAMES?|camelNames?)\}\}/.test(identifier)),
  };
}

module.exports = { fill, resourceFiles, wordsFor };
