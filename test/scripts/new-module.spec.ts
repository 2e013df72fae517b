import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/gala-process';

jest.setTimeout(600_000);

let copy: string;
beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'gala-new-module-')));
  for (const name of readdirSync(ROOT)) {
    if (['node_modules', 'dist', 'data', 'docs', '.git', 'coverage'].includes(name)) continue;
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const run = (program: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(ROOT, program), ...args], {
    cwd: copy,
    env: { PATH: process.env.PATH },
  });
const scaffold = (...args: string[]) => run('scripts/new-module.js', ...args);

/** What went wrong is in what it printed. */
async function succeeds(running: Promise<unknown>): Promise<void> {
  await running.catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}\n${stderr}`);
  });
}

test('a new module is typed, formatted, linted, within the walls, and passes its own tests', async () => {
  await succeeds(scaffold('price-lists'));
  const made = 'src/modules/price-lists';
  writeFileSync(
    join(copy, 'tsconfig.new.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      include: ['src', 'migrations', 'test/price-lists'],
    }),
  );
  await succeeds(run('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.new.json'));
  const written = [
    made,
    'test/price-lists',
    'migrations',
    'src/features.ts',
    'test/pipeline/route-sweep.spec.ts',
  ];
  await succeeds(run('node_modules/prettier/bin/prettier.cjs', '--check', ...written));
  await succeeds(run('node_modules/eslint/bin/eslint.js', made, 'test/price-lists'));
  await succeeds(
    // Its packages are ours, behind a link.
    run(
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--preserve-symlinks',
      'src',
      'migrations',
      'ormconfig.ts',
    ),
  );
  await succeeds(run('node_modules/jest/bin/jest.js', '--maxWorkers=1', '--testPathPatterns', 'price-list'));
});

test.each([
  [['price-lists'], 'src/modules/price-lists is there already.'],
  [['Menus'], 'in the plural and in lower case'],
  [[], 'in the plural and in lower case'],
  [['staff'], 'What is one of the staff? Add --singular <name>.'],
  [
    ['certificates-of-insurance', '--singular', 'certificate-of-insurance'],
    'Add --prefix <2 to 12 letters>.',
  ],
])('%j is refused, and nothing is written', async (args, message) => {
  const features = readFileSync(join(copy, 'src/features.ts'), 'utf8');
  await expect(scaffold(...args)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(message),
  });
  expect(readFileSync(join(copy, 'src/features.ts'), 'utf8')).toBe(features);
});
