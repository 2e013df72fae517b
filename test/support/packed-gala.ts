import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, ROOT, type WorkingDirectory } from './gala-process';

/** Makes another team’s folder: its node_modules hold our dependencies, and our package as `npm pack` makes it. */
export function installPackedGala(team: WorkingDirectory): void {
  build();
  const modules = join(team.path, 'node_modules');
  mkdirSync(join(modules, 'gala'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== 'gala') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', team.path];
  const tarball = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }).trim();
  execFileSync('tar', [
    '-xzf',
    join(team.path, tarball),
    '-C',
    join(modules, 'gala'),
    '--strip-components=1',
  ]);
}

/** Copies the example without its tests, which is what another team would publish. */
export function copyLoyalty(folder: string): void {
  for (const name of ['src', 'migrations', 'package.json', 'tsconfig.json', 'gala.config.js']) {
    cpSync(join(ROOT, 'examples/loyalty', name), join(folder, name), { recursive: true });
  }
}

export async function compile(folder: string): Promise<void> {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler], { cwd: folder });
}
