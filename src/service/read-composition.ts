import type { Composition } from '../app.module';
import { CompositionError } from '../platform/composition-error';

const KEYS = ['extensions', 'overrides'];

/**
 * Checks what a configuration file exports.
 * @param file its name, for messages
 */
export function readComposition(exported: unknown, file: string): Composition {
  const refuse = (problem: string): never => {
    throw new CompositionError(`${file} can’t be used: ${problem}`);
  };
  if (!isObject(exported)) {
    return refuse(
      `it exports ${kindOf(exported)} instead of { extensions, overrides }. Write module.exports = { … }, or export default { … } in an ES module.`,
    );
  }
  const unknown = Object.keys(exported).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    return refuse(`it exports "${unknown}", which Gala doesn’t know. Use ${KEYS.join(' and ')}.`);
  }
  const { extensions = [], overrides = [] } = exported;
  for (const [key, list] of Object.entries({ extensions, overrides })) {
    if (!Array.isArray(list)) return refuse(`${key} is ${kindOf(list)}. Make it a list.`);
  }
  for (const [index, extension] of (extensions as unknown[]).entries()) {
    const problem = problemOfFeature(extension);
    if (problem) return refuse(`extensions[${index}]${problem}`);
  }
  for (const [index, override] of (overrides as unknown[]).entries()) {
    if (isObject(override) && override.provide !== undefined) continue;
    return refuse(
      `overrides[${index}] has no token. Write { provide: Mailer, useClass: … }, and check that its package exports it.`,
    );
  }
  return { extensions, overrides } as Composition;
}

/** The rest of a sentence that begins with the extension. */
function problemOfFeature(extension: unknown): string | undefined {
  if (!isObject(extension)) {
    return ` is ${kindOf(extension)}. Make it a Feature, and check that its package exports it under that name.`;
  }
  if (typeof extension.module !== 'function') {
    return `.module is ${kindOf(extension.module)}. Make it the class of the extension’s Nest module.`;
  }
  for (const key of ['schemas', 'migrations']) {
    const list = extension[key];
    if (list !== undefined && !Array.isArray(list)) return `.${key} is ${kindOf(list)}. Make it a list.`;
  }
  const migrations = (extension.migrations ?? []) as unknown[];
  const other = migrations.findIndex((migration) => typeof migration !== 'function');
  if (other === -1) return undefined;
  return `.migrations[${other}] is ${kindOf(migrations[other])}. List the migrations’ classes.`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
