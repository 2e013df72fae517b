import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Composition } from '../app.module';
import { CompositionError } from '../platform/composition-error';
import { readComposition } from './read-composition';

const FILES = ['gala.config.js', 'gala.config.cjs', 'gala.config.mjs'];
const SOURCES = ['gala.config.ts', 'gala.config.cts', 'gala.config.mts'];

/**
 * The extensions and overrides that every command uses: the default export of `gala.config.js`, `.cjs` or `.mjs` in the
 * working directory, or of the file that the entry "gala" of its package.json names. Without such a file there are none.
 * @throws CompositionError if there are two such files, or the file can't be loaded or used
 */
export async function loadComposition(directory = process.cwd()): Promise<Composition> {
  const path = findFile(directory);
  if (path === undefined) return {};
  const name = relative(directory, path);
  return readComposition(await load(path, name), name);
}

function findFile(directory: string): string | undefined {
  const named = fileInPackage(directory);
  const files = new Set([...FILES.map((name) => resolve(directory, name)).filter(isFile), ...named]);
  const [path, ...others] = files;
  if (others.length > 0) {
    const names = [...files].map((file) => relative(directory, file)).join(' and ');
    throw new CompositionError(`There are two configuration files of Gala: ${names}. Keep one of them.`);
  }
  const source = SOURCES.find((name) => isFile(resolve(directory, name)));
  if (path === undefined && source !== undefined) {
    throw new CompositionError(
      `${source} can’t be loaded. Compile it, and name the result in package.json: "gala": "./dist/gala.config.js".`,
    );
  }
  return path;
}

function fileInPackage(directory: string): string[] {
  const file = resolve(directory, 'package.json');
  if (!existsSync(file)) return [];
  const entry = readJson(file).gala;
  if (entry === undefined) return [];
  if (typeof entry !== 'string') {
    throw new CompositionError(
      'The entry "gala" in package.json must be the path of a file, such as "./dist/gala.config.js".',
    );
  }
  const path = resolve(directory, entry);
  if (isFile(path)) return [path];
  throw new CompositionError(
    `The entry "gala" in package.json names ${entry}, which doesn’t exist. Build it, or correct the entry.`,
  );
}

function readJson(file: string): { gala?: unknown } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { gala?: unknown };
  } catch (error) {
    throw new CompositionError(`package.json can’t be read: ${reasonOf(error)}. Correct it.`, {
      cause: error,
    });
  }
}

async function load(path: string, name: string): Promise<unknown> {
  try {
    const { default: exported } = (await import(pathToFileURL(path).href)) as { default?: unknown };
    return isCompiledModule(exported) ? exported.default : exported;
  } catch (error) {
    throw new CompositionError(
      `${name} can’t be loaded: ${reasonOf(error)}. Install and build what it needs, or correct it.`,
      { cause: error },
    );
  }
}

/** TypeScript compiles `export default` to CommonJS like this. */
function isCompiledModule(exported: unknown): exported is { default: unknown } {
  return typeof exported === 'object' && exported !== null && '__esModule' in exported;
}

/** The first line of the message, since others may list what required what, and the first place in the stack that is a file. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [message] = error.message.split('\n');
  const [, place] = /(?:\(|at |^)(?:file:\/\/)?((?:[A-Z]:)?[\\/][^\s()]+:\d+)/m.exec(error.stack ?? '') ?? [];
  return place === undefined ? message!.replace(/\.$/, '') : `${message!.replace(/\.$/, '')} (${place})`;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
