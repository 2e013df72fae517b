'use strict';
// Lists changes of openapi.json since the last release that break clients: npm run openapi:compatible.
// Within /v1 the API only grows (docs/guides/versioning.md). Without a release tag nothing is compared.
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems'];
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'];

/** Every change in `next` that can break a client written for `last`, one sentence each. */
function breakingChanges(last, next) {
  const found = [];
  for (const [path, item] of Object.entries(last.paths)) {
    for (const method of METHODS.filter((each) => item[each])) {
      const where = `${method.toUpperCase()} ${path}`;
      const successor = next.paths[path]?.[method];
      if (!successor) found.push(`${where}: was taken away`);
      else compareOperations(item[method], successor, { where, last, next, found });
    }
  }
  for (const [type, { post }] of Object.entries(last.webhooks ?? {})) {
    const where = `webhook ${type}`;
    const successor = next.webhooks?.[type]?.post;
    if (!successor) found.push(`${where}: was taken away`);
    else compareContents(post.requestBody, successor.requestBody, { where, last, next, found, sent: false });
  }
  return found;
}

function compareOperations(before, after, context) {
  const { where, found } = context;
  if (before.operationId !== after.operationId) {
    found.push(`${where}: is called ${after.operationId} instead of ${before.operationId}`);
  }
  if (before['x-required-scope'] !== after['x-required-scope']) {
    found.push(
      `${where}: requires the scope ${after['x-required-scope']} instead of ${before['x-required-scope']}`,
    );
  }
  compareParameters(before.parameters ?? [], after.parameters ?? [], context);
  if (after.requestBody?.required && !before.requestBody?.required) found.push(`${where}: requires a body`);
  compareContents(before.requestBody, after.requestBody, { ...context, where: `${where}: body`, sent: true });
  for (const [status, response] of Object.entries(before.responses)) {
    const place = { ...context, where: `${where}: ${status}`, sent: false };
    if (!after.responses[status]) found.push(`${place.where}: was taken away`);
    else
      compareContents(resolve(response, context.last), resolve(after.responses[status], context.next), place);
  }
}

function compareParameters(before, after, context) {
  const { where, found } = context;
  const find = (list, { name, in: location }) =>
    list.find((each) => each.name === name && each.in === location);
  for (const parameter of before) {
    const successor = find(after, parameter);
    const place = `${where}: parameter ${parameter.name}`;
    if (!successor) found.push(`${place}: was taken away`);
    else compareSchemas(parameter.schema, successor.schema, { ...context, where: place, sent: true });
  }
  for (const parameter of after.filter(({ required }) => required)) {
    if (!find(before, parameter)?.required) found.push(`${where}: parameter ${parameter.name}: is required`);
  }
}

function compareContents(before, after, context) {
  for (const [type, media] of Object.entries(before?.content ?? {})) {
    const successor = after?.content?.[type];
    if (!successor) context.found.push(`${context.where}: ${type} was taken away`);
    else compareSchemas(media.schema, successor.schema, context);
  }
}

/** Schemas that clients send (`sent`) must not become stricter; schemas that they receive must not lose anything. */
function compareSchemas(before, after, context, depth = 0) {
  const { where, found, sent } = context;
  if (!before || !after || depth > 12) return;
  const [old, now] = [resolve(before, context.last), resolve(after, context.next)];
  if (!sent && now.oneOf && !now.properties) return compareAlternatives(old, now.oneOf, context, depth);
  compareTypes(old, now, context);
  if (sent) compareBounds(old, now, context);
  for (const name of (now.required ?? []).filter((each) => sent && !old.required?.includes(each))) {
    found.push(`${where}.${name}: is required`);
  }
  for (const name of (old.required ?? []).filter((each) => !sent && !now.required?.includes(each))) {
    found.push(`${where}.${name}: may be missing`);
  }
  for (const [name, field] of Object.entries(old.properties ?? {})) {
    const place = { ...context, where: `${where}.${name}` };
    if (!now.properties?.[name]) found.push(`${place.where}: was taken away`);
    else compareSchemas(field, now.properties[name], place, depth + 1);
  }
  compareSchemas(old.items, now.items, { ...context, where: `${where}[]` }, depth + 1);
}

/** A client may receive any alternative of an answer, so each has to have what the one of the same name had, or the answer itself. */
function compareAlternatives(old, alternatives, context, depth) {
  for (const [index, alternative] of alternatives.entries()) {
    const name = alternative.$ref?.split('/').at(-1) ?? index;
    const before = old.oneOf ? old.oneOf.find(({ $ref }) => $ref && $ref === alternative.$ref) : old;
    compareSchemas(before, alternative, { ...context, where: `${context.where} (${name})` }, depth + 1);
  }
}

function compareTypes(old, now, { where, found, sent }) {
  const [before, after] = [old, now].map(typesOf);
  const lost = before.filter((each) => !after.includes(each));
  const gained = after.filter((each) => !before.includes(each));
  if (sent && after.length && lost.length) found.push(`${where}: takes no ${lost.join(', ')}`);
  if (!sent && before.length && (gained.length || !after.length)) {
    found.push(`${where}: may be ${gained.join(', ') || 'anything'}`);
  }
  if (old.format !== now.format)
    found.push(`${where}: has the format ${now.format} instead of ${old.format}`);
  // Clients must tolerate new values in answers. Values that they send must stay valid.
  const gone = now.enum ? (old.enum ?? []).filter((value) => !now.enum.includes(value)) : [];
  if (sent && gone.length) found.push(`${where}: no longer takes ${gone.join(', ')}`);
  if (sent && now.enum && !old.enum) found.push(`${where}: takes certain values alone`);
}

/** The types of a schema, of its alternatives if it has some. */
function typesOf({ type, anyOf = [] }) {
  return [...new Set([type ?? [], ...anyOf.map(typesOf)].flat())];
}

function compareBounds(old, now, { where, found }) {
  const isNarrower = (name, worse) => now[name] !== undefined && (old[name] === undefined || worse);
  for (const name of LOWER_BOUNDS) {
    if (isNarrower(name, now[name] > old[name]))
      found.push(`${where}: ${name} is ${now[name]} instead of ${old[name]}`);
  }
  for (const name of UPPER_BOUNDS) {
    if (isNarrower(name, now[name] < old[name]))
      found.push(`${where}: ${name} is ${now[name]} instead of ${old[name]}`);
  }
  if (now.pattern !== undefined && now.pattern !== old.pattern) found.push(`${where}: has another pattern`);
}

function resolve(node, document) {
  if (!node.$ref) return node;
  const found = node.$ref
    .split('/')
    .slice(1)
    .reduce((parent, key) => parent[key], document);
  return resolve(found, document);
}

function lastRelease() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const [tag] = git('tag', '--list', 'v[0-9]*', '--sort=-v:refname', '--merged').split('\n');
  return tag ? { tag, document: JSON.parse(git('show', `${tag}:openapi.json`)) } : undefined;
}

function main() {
  const release = lastRelease();
  if (!release) return console.log('There is no release tag (v…) yet: nothing to compare openapi.json with.');
  const found = breakingChanges(
    release.document,
    JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')),
  );
  if (!found.length) return console.log(`openapi.json only adds to that of ${release.tag}.`);
  console.error(`openapi.json takes something away from clients of ${release.tag}:\n  ${found.join('\n  ')}
Within /v1 the API only grows: keep what was there, and deprecate it (docs/guides/versioning.md).`);
  process.exitCode = 1;
}

if (require.main === module) main();
module.exports = { breakingChanges };
