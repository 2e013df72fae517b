import fc from 'fast-check';
import { misspeltVariables } from './variable-names';

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['\uFEFFDATABASE_URL', 'DATABASE_URL'],
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['ENCRYPTON_KEY', 'ENCRYPTION_KEY'],
  ['RATE_LIMIT_READ', 'RATE_LIMIT_READS'],
  ['PROT', 'PORT'],
  ['WORKER', 'WORKERS'],
])('%j is reported as a misspelling', (name, meant) => {
  const [hint, ...others] = misspeltVariables({ [name]: 'hush-hush' });
  expect(others).toEqual([]);
  expect(hint).toBe(`${name} is not a variable of Gala, and has no effect. Did you mean ${meant}?`);
});

test('variables of other programs aren’t reported', () => {
  const names = [
    'PATH',
    'HOME',
    'HOST',
    'PGPORT',
    'SSL_CERT_FILE',
    'NODE_ENV',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'MAIL',
  ];
  expect(misspeltVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
  expect(misspeltVariables({ POSTGRES_PASSWORD: 'x', OTEL_SERVICE_NAME: 'x', XDG_DATA_DIRS: 'x' })).toEqual(
    [],
  );
});

test('a variable isn’t reported if its correct spelling is set too', () => {
  expect(misspeltVariables({ HTTP_PORT: '80' })).toHaveLength(1);
  expect(misspeltVariables({ HTTP_PORT: '80', HTTPS_PORT: '443' })).toEqual([]);
});

test('one typo in a long name is always found', () => {
  const slips = fc.tuple(fc.nat(10), fc.constantFrom('add', 'drop', 'replace', 'swap'));
  fc.assert(
    fc.property(slips, ([at, slip]) => {
      const [before, letter, next, after] = [
        'DATABASE_URL'.slice(0, at),
        ...'DATABASE_URL'.slice(at, at + 2),
        'DATABASE_URL'.slice(at + 2),
      ];
      const changed = {
        ...{ add: `X${letter}${next}`, drop: next, replace: `X${next}`, swap: `${next}${letter}` },
      }[slip];
      fc.pre(letter !== next);
      expect(misspeltVariables({ [`${before}${changed}${after}`]: 'x' })).toHaveLength(1);
    }),
  );
});
