import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/gala-process';

/** The list under "A new field" in CONTRIBUTING.md. */
const [section] = /## A new field\n[^]*?\n(?=Then )/.exec(
  readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'),
)!;
const listed = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file!);

test('a field of a lead stands in the source files that CONTRIBUTING.md lists, and in no others', () => {
  const files = readdirSync(join(ROOT, 'src/modules/leads'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec)\.tsx?$/.test(file))
    .map((file) => `src/modules/leads/${file}`);
  const withField = files.filter((file) => /\bguests\b/.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(listed.filter((file) => file.startsWith('src/')).sort()).toEqual(withField.sort());
  expect(listed.filter((file) => file.startsWith('migrations/'))).toHaveLength(2);
  expect(listed.length).toBeLessThanOrEqual(7);
});
