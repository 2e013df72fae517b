import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { packageDirectory } from '../platform/package-version';
import { print } from './output';

interface NewExtensionOptions {
  singular?: string;
  prefix?: string;
  json?: boolean;
}

/** It shares its templates with a script that also runs before the service is built, and so isn’t compiled. */
interface Scaffold {
  newExtension: (
    options: NewExtensionOptions & { names: string; folder?: string },
    directory: string,
  ) => { folder: string; files: string[]; hasGala: boolean };
}

export function addNewExtensionCommand(program: Command): void {
  program
    .command('new-extension')
    .description('Write a package that extends Gala: a table, scopes, routes, events, a page and tests')
    .argument('<name>', 'what it adds, in the plural, such as price-lists')
    .argument('[folder]', 'where to write it (default: gala-<name>)')
    .option('--singular <name>', 'one of them, where the plural is irregular')
    .option('--prefix <letters>', 'the prefix of their ids: 2 to 12 letters')
    .option('--json', 'print JSON: {"folder": …, "files": […]}')
    .action(
      async (
        names: string,
        folder: string | undefined,
        { json, ...options }: NewExtensionOptions,
        command: Command,
      ): Promise<void> => {
        const file = join(packageDirectory(__dirname), 'scaffold/new-extension.js');
        const { newExtension } = (await import(pathToFileURL(file).href)) as Scaffold;
        try {
          const made = newExtension({ names, folder, ...options }, process.cwd());
          print({ folder: made.folder, files: made.files }, json, () => describe(made));
        } catch (error) {
          command.error((error as Error).message);
        }
      },
    );
}

function describe({ folder, files, hasGala }: ReturnType<Scaffold['newExtension']>): string {
  const install = hasGala ? 'npm install' : 'npm install --save-dev <path of gala-….tgz>';
  const steps = [`cd ${folder}`, install, 'npm test', 'npx gala serve'];
  return `Wrote ${files.length} files. Next:\n\n${steps.map((step) => `  ${step}`).join('\n')}`;
}
