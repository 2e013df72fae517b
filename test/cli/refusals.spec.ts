import { readdirSync } from 'node:fs';
import { createDatabase } from '../support/database';
import { build, eachOf, type Finished, WorkingDirectory } from '../support/gala-process';

jest.setTimeout(60_000);

const UNKNOWN_WORKSPACE = 'ws_01h455vb4pex5vsknk084sn02q';
const UNKNOWN_KEY = 'key_01h455vb4pex5vsknk084sn02q';
/** Stands for the id of the workspace that is there. */
const HERE = '<workspace>';

const createWorkspace = (...more: string[]) => [
  'workspace',
  'create',
  '--name',
  'Hall',
  '--owner-email',
  'a@example.com',
  ...more,
];
const createKey = (...more: string[]) => ['api-key', 'create', '--mode', 'live', '--name', 'Site', ...more];

const cases: [title: string, args: string[], says: RegExp][] = [
  ['an unknown command', ['workspaces'], /unknown command 'workspaces'[^]*(--help|Did you mean workspace\?)/],
  ['an unknown command of a group', ['api-key', 'destroy'], /unknown command 'destroy'[^]*--help/],
  ['an unknown option', ['serve', '--prot', '80'], /unknown option '--prot'[^]*--help/],
  ['an unknown option of a group', ['workspace', 'list', '--yaml'], /unknown option '--yaml'[^]*--help/],
  ['too many arguments', ['migrate', 'now'], /too many arguments/],
  ['a missing option', ['workspace', 'create', '--name', 'Hall'], /--owner-email <email>' not specified/],
  ['a blank name', createWorkspace('--name', '  '), /--name .*1 to 100 characters/],
  [
    'a bad e-mail address',
    createWorkspace('--owner-email', 'nobody'),
    /--owner-email .*'nobody' .*e-mail address/,
  ],
  ['an unknown time zone', createWorkspace('--time-zone', 'Mars/Olympus'), /time-?zone.*Europe\/Madrid/i],
  ['an unknown currency', createWorkspace('--currency', 'GOLD'), /currency.*EUR/i],
  [
    'a bad workspace id',
    createKey('--workspace', 'ws_1'),
    /--workspace .*'ws_1' .*ws_01h455vb4pex5vsknk084sn02q/,
  ],
  [
    'an id of another kind',
    createKey('--workspace', UNKNOWN_KEY),
    /--workspace .*ws_01h455vb4pex5vsknk084sn02q/,
  ],
  ['an unknown workspace', createKey('--workspace', UNKNOWN_WORKSPACE), /No such workspace/],
  [
    'an unknown scope',
    createKey('--workspace', HERE, '--scopes', 'leads:read,leads:fly'),
    /scopes.*"leads:fly"/,
  ],
  ['an unknown mode', createKey('--workspace', HERE, '--mode', 'prod'), /'prod' .*live, test/],
  [
    'a time that is none',
    createKey('--workspace', HERE, '--expires-at', 'tomorrow'),
    /--expires-at .*RFC 3339/,
  ],
  [
    'a time that has passed',
    createKey('--workspace', HERE, '--expires-at', '2001-01-01T00:00:00Z'),
    /expires-?at.*future/i,
  ],
  [
    'the keys of an unknown workspace',
    ['api-key', 'list', '--workspace', UNKNOWN_WORKSPACE],
    /No such workspace/,
  ],
  [
    'a bad key id',
    ['api-key', 'revoke', '--workspace', HERE, 'key_1'],
    /'key_1' .*key_01h455vb4pex5vsknk084sn02q/,
  ],
  ['an unknown key', ['api-key', 'revoke', '--workspace', HERE, UNKNOWN_KEY], /No such API key/],
];

let directory: WorkingDirectory;
let database: Awaited<ReturnType<typeof createDatabase>>;
const outcomes = new Map<string, Finished>();

beforeAll(async () => {
  build();
  directory = new WorkingDirectory();
  database = await createDatabase();
  const env = { DATABASE_URL: database.url };
  const made = await directory.run(createWorkspace('--json'), { env });
  const { id } = JSON.parse(made.stdout) as { id: string };
  await eachOf(cases, async ([title, args]) => {
    outcomes.set(
      title,
      await directory.run(
        args.map((arg) => (arg === HERE ? id : arg)),
        { env },
      ),
    );
  });
}, 120_000);

afterAll(async () => {
  await directory.clear();
  await database.drop();
});

test.each(cases)('%s is refused in a clear line', (title, _args, says) => {
  const { code, stdout, stderr } = outcomes.get(title)!;
  expect(stderr).toMatch(says);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toMatch(/^\s+at |node:internal|QueryFailedError/m);
  const [, ...hints] = stderr.trimEnd().split('\n');
  expect(hints.length).toBeLessThanOrEqual(2);
  for (const hint of hints) expect(hint).toMatch(/^\(.*\)$/);
});

test('nothing of it touched the working directory', () => {
  expect(readdirSync(directory.path)).toEqual([]);
});
