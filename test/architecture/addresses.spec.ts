import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const MAKER = 'src/platform/config/public-address.ts';
/** Takes PUBLIC_URL apart, or writes its text into something. */
const BY_HAND = /\bpublicUrl\b[^;\n]{0,20}\.(?:href|pathname|host\b|toString\(\))|\$\{publicUrl\}/;

test('addresses are made in one place alone', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.spec)\.tsx?$/.test(name))
    .map((name) => `src/${name.replaceAll('\\', '/')}`);
  const byHand = sources.filter((name) => BY_HAND.test(readFileSync(join(ROOT, name), 'utf8')));
  expect(byHand).toEqual([MAKER]);
});
