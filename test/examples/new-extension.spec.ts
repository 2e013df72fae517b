import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/gala-process';

interface Options {
  names: string;
  folder?: string;
  singular?: string;
  prefix?: string;
}
const { newExtension, RESERVED } = jest.requireActual<{
  newExtension: (
    options: Options,
    directory: string,
  ) => { folder: string; files: string[]; hasGala: boolean };
  RESERVED: string[];
}>(join(ROOT, 'scaffold/new-extension.js'));

let directory: string;
beforeEach(() => (directory = realpathSync(mkdtempSync(join(tmpdir(), 'gala-new-extension-')))));
afterEach(() => rmSync(directory, { recursive: true }));

const read = (path: string) => readFileSync(join(directory, path), 'utf8');
const make = (names: string, options: Partial<Options> = {}) =>
  newExtension({ names, ...options }, directory);

test('a new extension is a package that imports nothing but public entrances', () => {
  const { folder, files, hasGala } = make('price-lists');
  expect({ folder, hasGala }).toEqual({ folder: 'gala-price-lists', hasGala: false });
  const written = readdirSync(join(directory, folder), { recursive: true, withFileTypes: true });
  expect(written.filter((entry) => entry.isFile())).toHaveLength(files.length);
  const surface = readFileSync(join(ROOT, 'test/examples/public-surface.txt'), 'utf8').split('\n');
  for (const file of files) {
    const text = read(`${folder}/${file}`);
    expect({ file, left: /\{\{\w/.exec(text.replaceAll('={{', ''))?.[0] }).toEqual({ file, left: undefined });
    expect({ file, inside: /from '[^']*(kernel|platform|modules)\//.exec(text)?.[0] }).toEqual({
      file,
      inside: undefined,
    });
    const lists = [...text.matchAll(/import (?:type )?\{([^}]*)\} from 'gala';/g)];
    expect(lists.length).toBeLessThanOrEqual(1);
    const names = lists
      .flatMap(([, list]) => list!.split(','))
      .map((name) => name.trim().replace(/^type /, ''));
    expect(surface).toEqual(expect.arrayContaining(names.filter(Boolean)));
  }
  expect(files).toContain('src/domain/price-list.ts');
});

test('its peers have Gala’s versions', () => {
  const gala = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  make('vendors');
  const { name, peerDependencies, devDependencies } = JSON.parse(read('gala-vendors/package.json'));
  expect(name).toBe('gala-vendors');
  expect(peerDependencies.gala).toBe(`^${gala.version}`);
  for (const peer of ['@nestjs/common', '@nestjs/swagger', 'preact', 'typeorm']) {
    expect(peerDependencies[peer]).toBe(`^${gala.dependencies[peer]}`);
  }
  expect(devDependencies).toEqual({
    '@types/express': gala.devDependencies['@types/express'],
    '@types/node': gala.devDependencies['@types/node'],
    typescript: gala.devDependencies.typescript,
  });
});

test('Gala is installed from where the working directory has it', () => {
  const dependencies = { gala: 'file:packages/gala-0.1.0.tgz' };
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ dependencies }));
  expect(make('vendors', { folder: 'extensions/vendors' })).toMatchObject({ hasGala: true });
  const { name, devDependencies } = JSON.parse(read('extensions/vendors/package.json'));
  expect({ name, gala: devDependencies.gala }).toEqual({
    name: 'vendors',
    gala: 'file:../../packages/gala-0.1.0.tgz',
  });
});

test.each([
  ['Vendors', {}, 'in the plural and in lower case'],
  ['price_lists', {}, 'in the plural and in lower case'],
  ['../vendors', {}, 'in the plural and in lower case'],
  ['staff', {}, 'What is one of the staff? Add --singular <name>.'],
  ['vendors', { singular: 'Vendor' }, 'Add --singular <name>.'],
  ['certificates-of-insurance', { singular: 'certificate-of-insurance' }, 'Add --prefix <2 to 12 letters>.'],
  ['leads', {}, 'Gala itself has leads. Choose another name.'],
  ['packages', {}, 'JavaScript reserves the word package. Choose another name, or add --singular <name>.'],
  ['classes', {}, 'reserves the word class'],
  ['vendors', { singular: 'new' }, 'reserves the word new'],
  [
    'dates',
    {},
    'The generated code uses Date for something else. Choose another name, or add --singular <name>.',
  ],
  ['promises', {}, 'uses Promise for something else'],
  ['times', {}, 'uses TIME for something else'],
  ['entities', {}, 'uses EntitySchema for something else'],
])('%s %j is refused, and nothing is written', (names, options, message) => {
  expect(() => make(names, options)).toThrow(message);
  expect(readdirSync(directory)).toEqual([]);
});

test.each(['areas', 'date-ranges', 'forms', 'notes', 'orders', 'packing-lists', 'rooms', 'tables', 'todos'])(
  '%s is a name like any other',
  (names) => {
    expect(make(names).files).toContain(`src/${names}.module.ts`);
  },
);

test('a folder with files is left alone', () => {
  mkdirSync(join(directory, 'gala-vendors'));
  writeFileSync(join(directory, 'gala-vendors/notes.txt'), 'mine');
  expect(() => make('vendors')).toThrow('gala-vendors exists already and isn’t empty');
  expect(readdirSync(join(directory, 'gala-vendors'))).toEqual(['notes.txt']);
});

test('names of Gala’s own routes are reserved', () => {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  const routes = Object.keys(paths).map((path) => /^\/(?:v1\/)?([a-z-]+)/.exec(path)![1]!);
  const names = new Set(routes.filter((name) => name.endsWith('s')));
  expect(names.size).toBeGreaterThan(5);
  expect(RESERVED).toEqual(expect.arrayContaining([...names]));
});
