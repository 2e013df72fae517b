import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/gala-process';

const page = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8');
const blocks = [...page.matchAll(/^```(?:tsx?|js|json|dockerfile)\n(.*)\n([^]*?)\n```$/gm)].map(
  ([, head, code]) => ({
    head: head!,
    code: code!,
  }),
);

test('docs/extending.md shows pieces of the example', () => {
  expect(blocks.length).toBeGreaterThan(8);
});

test.each(blocks)('$head', ({ head, code }) => {
  const file = /^(?:\/\/|#) (examples\/loyalty\/\S+)$/.exec(head)?.[1];
  expect(file).toBeDefined();
  expect(readFileSync(join(ROOT, file!), 'utf8')).toContain(code);
});

test('it names every part of the public surface that it speaks of', () => {
  const surface = ['src/extension.ts', 'src/testing/index.ts']
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  const named = [...page.matchAll(/`(@?[A-Z]\w+)(?:\(|`)/g)].map(([, name]) => name!.replace('@', ''));
  const others = ['Feature', 'PostgreSQL'];
  for (const name of new Set(named)) {
    if (/^[A-Z_]+$/.test(name) || others.includes(name)) continue;
    expect({ name, exported: new RegExp(`\\b${name}\\b`).test(surface) }).toEqual({ name, exported: true });
  }
});
