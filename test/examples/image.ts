import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../support/gala-process';

/** What a Dockerfile says of its image: the files and commands of the last stage, and what is started. */
export function readDockerfile(path: string) {
  const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/\\\n\s*/g, ' ');
  const lastStage = text.slice(text.lastIndexOf('\nFROM '));
  const copies = [...lastStage.matchAll(/^COPY (?:--from=\S+ )?(.+)$/gm)].map(([, paths]) => {
    const sources = paths!.split(' ').map((source) => source.replace(/^\/app\//, ''));
    return { target: sources.pop()!, sources };
  });
  const [, entry] = /^ENTRYPOINT (.+)$/m.exec(lastStage) ?? [];
  return {
    copies,
    runs: [...lastStage.matchAll(/^RUN (.+)$/gm)].map(([, command]) => command!),
    entry: entry === undefined ? [] : (JSON.parse(entry) as string[]),
  };
}

/** Makes the folder /app of Gala's image, of the files of this repository and its build. */
export function makeImageFolder(app: string): void {
  mkdirSync(app);
  const { copies, runs } = readDockerfile('Dockerfile');
  for (const { sources, target } of copies) {
    for (const source of sources) {
      const path = target.endsWith('/') ? join(target, basename(source)) : target;
      if (source === 'node_modules') copyPackages(app);
      else cpSync(join(ROOT, source), join(app, path), { recursive: true });
    }
  }
  // Commands that name paths elsewhere are for the image alone.
  const own = runs.filter((command) => !command.includes(' /'));
  for (const command of own) execFileSync('bash', ['-ec', command], { cwd: app });
}

/** Those that `npm ci --omit=dev` installs. */
function copyPackages(app: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
    const isOwn = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path);
    // Those for other operating systems are not installed.
    if (!isOwn || dev || devOptional || !existsSync(join(ROOT, path))) continue;
    cpSync(join(ROOT, path), join(app, path), { recursive: true, verbatimSymlinks: true });
  }
  cpSync(join(ROOT, 'node_modules/.bin'), join(app, 'node_modules/.bin'), {
    recursive: true,
    verbatimSymlinks: true,
  });
}
