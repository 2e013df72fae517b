import { join } from 'node:path';
import { eachOf, type Finished, WorkingDirectory } from '../support/gala-process';
import { compileService } from '../support/service-process';
import { startGala, type TestGala } from '../support/start-gala';
import { basic, CALLBACK, newApp, postForm } from './support';

jest.setTimeout(120_000);

let gala: TestGala;
let directory: WorkingDirectory;
let compiled: ReturnType<typeof compileService>;
beforeAll(async () => {
  compiled = compileService();
  gala = await startGala();
  directory = new WorkingDirectory();
}, 120_000);
afterAll(async () => {
  await directory.clear();
  compiled.remove();
  await gala.stop();
});

/** With a database key of its own: commands check that it is the one that the database was made with. */
const environment = () => ({
  DATABASE_URL: gala.databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
});
const run = (...args: string[]): Promise<Finished> => {
  const program = join(compiled.directory, 'src/cli/main.js');
  return directory.spawn(process.execPath, [program, 'oauth-app', ...args], { env: environment() }).finished;
};

async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const create = ['create', '--name', 'Planner', '--scopes', 'leads:read', '--redirect-uri', CALLBACK];

/** 200 with the right secret, 401 with another. */
const knows = async (id: string, secret: string) =>
  (await postForm(gala.anonymous, '/oauth/revoke', { token: 'x' }, basic(id, secret))).status;

test('an app’s life: registered, listed, changed, given a new secret, deleted', async () => {
  const made = await json(...create, 'http://localhost:8080/cb');
  expect(made).toEqual({
    clientId: expect.stringMatching(/^app_/),
    clientSecret: expect.stringMatching(/^gala_cs_/),
    name: 'Planner',
    type: 'confidential',
    redirectUris: [CALLBACK, 'http://localhost:8080/cb'],
    scopes: ['leads:read'],
    allowedOrigins: [],
    createdAt: expect.stringMatching(/Z$/),
  });
  const { clientId: id, clientSecret: secret, ...view } = made;
  expect(await knows(id, secret)).toBe(200);
  expect(await json('list')).toEqual([{ clientId: id, ...view }]);

  const changed = await json('update', id, '--name', 'Seating', '--scopes', 'leads:read,leads:write');
  expect(changed).toEqual({ ...view, clientId: id, name: 'Seating', scopes: ['leads:read', 'leads:write'] });

  const { clientSecret: renewed } = await json('rotate-secret', id);
  expect([await knows(id, secret), await knows(id, renewed)]).toEqual([401, 200]);

  await json('delete', id);
  expect(await knows(id, renewed)).toBe(401);
  expect(await json('list')).toEqual([]);
  expect(await run('delete', id)).toMatchObject({ code: 1, stderr: expect.stringMatching(/No such app/) });
});

test('the origins of web pages that may use its tokens are registered, changed and removed', async () => {
  const [one, two] = ['https://a.example.com', 'http://localhost:5173'];
  const { clientId, allowedOrigins } = await json(...create, '--public', '--origin', one, '--origin', two);
  expect(allowedOrigins).toEqual([one, two]);
  expect((await run('list')).stdout).toContain(`${one} ${two}`);
  expect((await json('update', clientId, '--name', 'Seating')).allowedOrigins).toEqual([one, two]);
  expect((await json('update', clientId, '--origin', two)).allowedOrigins).toEqual([two]);
  expect((await json('update', clientId, '--no-origin')).allowedOrigins).toEqual([]);
  await json('delete', clientId);
});

test('for people: the secret is shown once, and a public client has none', async () => {
  const { stdout } = await run(...create);
  expect(stdout).toMatch(/client_id +app_[^]*client_secret +gala_cs_[^]*/);
  expect(stdout).toContain('shown only once');
  const open = await run(...create, '--public');
  expect(open.stdout).toContain('PKCE');
  expect(open.stdout).not.toContain('gala_cs_');
  const list = (await run('list')).stdout;
  expect(list).toContain(CALLBACK);
  expect(list).not.toContain('gala_cs_');
  const { clientId } = (await json('list')).find(({ type }: { type: string }) => type === 'public');
  const refused = await run('rotate-secret', clientId);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/public client/) });
});

test('deleting an app ends its tokens in a service that runs', async () => {
  const app = await newApp(gala);
  const tokens = await app.install();
  await json('delete', app.id);
  expect(await app.statusOf(tokens)).toBe(401);
});

const withUri = (uri: string) => ['create', '--name', 'P', '--scopes', 'leads:read', '--redirect-uri', uri];

const refusals: [what: string, args: string[], says: RegExp][] = [
  ['http to a far host', withUri('http://app.example.com/cb'), /https:\/\//],
  ['a fragment', withUri(`${CALLBACK}#top`), /fragment/],
  ['javascript:', withUri('javascript:alert(1)'), /scheme with a dot/],
  ['a relative address', withUri('/callback'), /absolute/],
  ['an address to be tidied up', withUri('https://app.example.com/a/../cb'), /written as/],
  [
    'an unknown scope',
    ['create', '--name', 'P', '--scopes', 'leads:fly', '--redirect-uri', CALLBACK],
    /leads:fly/,
  ],
  ['no scope', ['create', '--name', 'P', '--scopes', ',', '--redirect-uri', CALLBACK], /scope/],
  ['an origin with a path', [...create, '--origin', 'https://a.test/x'], /written as https:\/\/a\.test/],
  ['every origin', [...create, '--origin', '*'], /must be an origin such as/],
  ['no redirect URI', ['create', '--name', 'P', '--scopes', 'leads:read'], /--redirect-uri/],
  ['a bad id', ['delete', 'app_1'], /app_01h455vb4pex5vsknk084sn02q/],
  ['an unknown id', ['update', 'app_01h455vb4pex5vsknk084sn02q', '--name', 'X'], /No such app/],
];

test('what is wrong is refused in words', async () => {
  const outcomes = await eachOf(refusals, async ([what, args, says]) => ({
    ...{ what, says },
    ...(await run(...args)),
  }));
  for (const { what, says, code, stdout, stderr } of outcomes) {
    expect({ what, code, stdout, stderr }).toEqual({
      ...{ what, code: 1, stdout: '' },
      stderr: expect.stringMatching(says),
    });
    expect(stderr).not.toMatch(/\bat .+:\d+|node_modules/);
  }
});
