import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/gala-process';

describe.each([
  ['gala', 'src/extension.ts', 'public-surface.txt'],
  ['gala/testing', 'src/testing/index.ts', 'testing-surface.txt'],
])('%s', (_, file, list) => {
  const source = readFileSync(join(ROOT, file), 'utf8');

  /** Types as well, which are gone once the code runs. */
  function exportedNames(): string[] {
    const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, names]) =>
      names!.split(','),
    );
    const spaces = [...source.matchAll(/^export \* as (\w+)/gm)].map(([, name]) => name!);
    const names = lists.flat().map((name) => name.trim().replace(/^type /, ''));
    return [...names.filter(Boolean), ...spaces].sort();
  }

  test('the public surface is what other teams were given: without one of these names their code doesn’t compile', () => {
    const given = readFileSync(join(__dirname, list), 'utf8').trim().split('\n');
    expect(exportedNames()).toEqual(given);
  });

  test('every line of it says what it exports by name', () => {
    const exports = source.match(/^export /gm) ?? [];
    expect(source.match(/^export (type )?\{|^export \* as \w+/gm)).toHaveLength(exports.length);
  });
});
