import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** This package's version, wherever below it the compiled file lies. */
export function packageVersion(): string {
  const file = join(packageDirectory(__dirname), 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Where this package lies, whose file or folder is asked for. */
export function packageDirectory(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error('package.json is missing: install the package as a whole.');
  return packageDirectory(parent);
}
