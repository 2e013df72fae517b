import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/gala-process';

/** The list under "A new field" in CONTRIBUTING.md. */
const [, section, rest] = /## A new field\n([^]*?\n)(Then [^]*?)\n## /.exec(
  readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'),
) as unknown as [string, string, string];
const listed = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file!);

/** What a filter by the field or a column of it takes, which guests have. */
const optional = [...rest.matchAll(/`((?:http|application|infrastructure|pages)\/[^`]+)`/g)].map(
  ([, file]) => `src/modules/leads/${file}`,
);

test('a field of a lead stands in the source files that CONTRIBUTING.md lists, and in no others', () => {
  const files = readdirSync(join(ROOT, 'src/modules/leads'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec)\.tsx?$/.test(file))
    .map((file) => `src/modules/leads/${file}`);
  const withField = files.filter(
    (file) => !optional.includes(file) && /\bguests\b/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(listed.filter((file) => file.startsWith('src/')).sort()).toEqual(withField.sort());
  expect(listed.filter((file) => file.startsWith('migrations/'))).toHaveLength(2);
  expect(listed.length).toBeLessThanOrEqual(7);
});
