import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from './load-configuration';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gala-configuration-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('readEnvironment', () => {
  test('reads variables from .env that the environment doesn’t set', () => {
    const home = process.cwd();
    writeFileSync(
      join(directory, '.env'),
      'GALA_TEST_ONE=file\nGALA_TEST_TWO="file two"\n# GALA_TEST_THREE=x\n',
    );
    process.chdir(directory);
    process.env.GALA_TEST_ONE = 'environment';
    try {
      expect(readEnvironment()).toMatchObject({ GALA_TEST_ONE: 'environment', GALA_TEST_TWO: 'file two' });
      expect(readEnvironment()).not.toHaveProperty('GALA_TEST_THREE');
    } finally {
      process.chdir(home);
      delete process.env.GALA_TEST_ONE;
    }
    expect(readEnvironment()).not.toHaveProperty('GALA_TEST_TWO');
  });
});
