import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { CreateWorkspace } from '../../src/modules/workspaces';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { GUIDES } from '../../src/platform/openapi/guides';
import { challengeOf, newApp } from '../oauth/support';
import { SdkProject } from '../sdk/build-sdk';
import { build, freePort, ROOT } from '../support/gala-process';
import { startGala, type TestGala } from '../support/start-gala';
import { type Block, blocksOf } from './markdown';
import { fileNeeds } from '../support/requirements';

fileNeeds('bash', 'curl', 'python3');

// Building the service and the SDK takes its time on a busy machine.
jest.setTimeout(600_000);

const GUIDE_PAGES = Object.keys(GUIDES).map((name) => `docs/guides/${name}.md`);
const PAGES = [
  ...GUIDE_PAGES,
  'README.md',
  'CONTRIBUTING.md',
  'sdk/README.md',
  ...['messages', 'operating', 'performance', 'proposals'].map((name) => `docs/${name}.md`),
];
/** Pages whose examples other tests run, or whose drawing they compare. */
const ELSEWHERE = ['docs/adr/0001-modules-with-walls.md', 'docs/architecture.md', 'docs/extending.md'];
/** What can be run, and what is something else than a program: an answer to compare, or to look at. */
const RUNNABLE = ['sh', 'python', 'ts'];
const RUN_ELSEWHERE: Record<string, string> = {
  'js receiver': 'test/webhooks/documented-receivers.spec.ts',
  'python receiver': 'test/webhooks/documented-receivers.spec.ts',
  'ts receiver': 'test/docs/examples.spec.ts',
  'sh ci': 'test/docs/examples.spec.ts',
  'sh sdk': 'test/docs/examples.spec.ts',
  'sh tsx': 'test/docs/examples.spec.ts',
  'sh types': 'test/sdk/types.spec.ts',
  'typescript extension': 'test/sdk/types.spec.ts',
  'sh verify': 'test/docs/webhooks-guide.spec.ts',
  'sh project': 'test/docs/examples.spec.ts',
  'sh docker': 'test/docs/examples.spec.ts',
  nginx: 'test/docs/examples.spec.ts',
  haproxy: 'test/faults/haproxy.ts',
  'sh backup': 'test/faults/documented.spec.ts',
};
const NOT_RUNNABLE = ['json', 'text', 'http'];

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const run = promisify(execFile);

let gala: TestGala;
/** Its key is changed by what operators read. */
let other: TestGala;
let project: SdkProject;
let complaints: Record<string, string>;
let environment: Record<string, string>;
beforeAll(async () => {
  build();
  gala = await startGala();
  gala.app.get(BackgroundJobs).start();
  other = await startGala();
  const ana = { ownerEmail: 'ana@example.com', timeZone: 'Europe/Madrid', currency: 'EUR' };
  await other.app.get(CreateWorkspace, { strict: false }).execute({ name: 'Ana’s', ...ana });
  project = new SdkProject((await gala.anonymous.get('/openapi.json')).text);
  complaints = project.compile(Object.fromEntries(typescript().map(({ file, code }) => [file, code])));
  const bin = join(project.path, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec node ${join(ROOT, 'bin/gala.js')} "$@"\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  const workspace = await gala.createWorkspace();
  const key = await workspace.key('test');
  const lead = { email: 'ana@example.com', phone: '+15005550001', guests: 120 };
  const { id } = (await (await workspace.client('test')).post('/v1/leads', lead)).body;
  environment = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: project.path,
    GALA_URL: gala.baseUrl,
    GALA_KEY: key,
    KEY: key,
    LEAD: id,
    DATABASE_URL: gala.databaseUrl,
    DATA_DIR: join(project.path, 'data'),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...(await oauthApp()),
  };
});
afterAll(async () => {
  project.remove();
  await gala.stop();
  await other.stop();
});

/** What the guide on OAuth begins with: an app, and a code that a person gave it. */
async function oauthApp(): Promise<Record<string, string>> {
  const app = await newApp(gala);
  const code = await app.code(challengeOf(VERIFIER));
  return { CLIENT_ID: app.id, CLIENT_SECRET: app.secret!, CODE: code, VERIFIER };
}

const fileOf = (page: string, line: number) => `${page.replace(/\W/g, '-')}-${line}.mts`;

function typescript(): { file: string; code: string }[] {
  return PAGES.flatMap((page) =>
    blocksOf(page)
      .filter(({ info }) => info.startsWith('ts'))
      .map(({ code, line }) => ({ file: fileOf(page, line), code })),
  );
}

/** Runs one block, after those above it on its page, whose shell variables it sees. */
async function output(page: string, { info, code, line }: Block): Promise<string> {
  const env = page === 'docs/operating.md' ? { ...environment, ...operating() } : environment;
  const options = { cwd: project.path, env, maxBuffer: 2 ** 24 };
  if (info === 'python') return (await run('python3', ['-c', code], options)).stdout;
  if (info === 'ts') {
    const file = fileOf(page, line).replace('.mts', '.mjs');
    return (await run(process.execPath, [file], options)).stdout;
  }
  const state = join(project.path, page.replace(/\W/g, '-'));
  const here = code.replaceAll('http://localhost:3000', gala.baseUrl);
  const script = `set -euo pipefail\n[ ! -f '${state}' ] || . '${state}'\nset -a\n${here}\nexport -p > '${state}'\n`;
  return (await run('bash', ['-c', script], options)).stdout;
}

function operating(): Record<string, string> {
  return {
    DATABASE_URL: other.databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64'),
    ENCRYPTION_KEY_PREVIOUS: environment.ENCRYPTION_KEY!,
  };
}

/** Everything that is different each time, made the same. */
function leveled(text: string): unknown {
  return JSON.parse(
    text
      .replace(/\b(lead|ws)_[a-z0-9]{26}/g, '$1_ID')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
      .replace(/gala_(at|rt)_[\w…-]+/g, 'TOKEN'),
  );
}

test('every page with examples is tried, and every fence says what it holds', () => {
  const documents = ['docs', 'examples/loyalty', 'sdk']
    .flatMap((folder) =>
      (readdirSync(join(ROOT, folder), { recursive: true }) as string[]).map((name) => join(folder, name)),
    )
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'));
  const withBlocks = documents.filter((name) => blocksOf(name).length > 0);
  expect(withBlocks.filter((name) => !PAGES.includes(name) && !ELSEWHERE.includes(name))).toEqual([]);
  const known = [...RUNNABLE, ...Object.keys(RUN_ELSEWHERE), ...NOT_RUNNABLE];
  for (const page of PAGES) {
    // What measures for minutes is run by nobody's tests, but what it names has to be there.
    const unknown = blocksOf(page).filter(
      ({ info, code }) =>
        !known.includes(info) && !(page === 'docs/performance.md' && /^( *npm run bench\b.*\n)+$/.test(code)),
    );
    expect({ page, unknown }).toEqual({ page, unknown: [] });
  }
  for (const page of ELSEWHERE) {
    expect({ page, indented: blocksOf(page).filter(({ info }) => info === 'indented') }).toEqual({
      page,
      indented: [],
    });
  }
  for (const [info, file] of Object.entries(RUN_ELSEWHERE)) {
    const [language, kind] = info.split(' ');
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(kind ?? language);
  }
  const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  const byCi = PAGES.flatMap(blocksOf).filter(({ info }) => info === 'sh ci');
  for (const { code } of byCi) for (const command of code.trim().split(' && ')) expect(ci).toContain(command);
});

const ofKind = (page: string, kind: string) => blocksOf(page).filter(({ info }) => info === kind);

test('the SDK is installed from the service itself, and its examples run as they are told to', async () => {
  const [install] = ofKind('docs/guides/sdk.md', 'sh sdk') as [Block];
  const [tools] = ofKind('docs/guides/sdk.md', 'sh tsx') as [Block];
  const [example] = ofKind('docs/guides/first-lead.md', 'ts') as [Block];
  const cwd = mkdtempSync(join(tmpdir(), 'gala-sdk-user-'));
  try {
    const env = { ...process.env, GALA_URL: gala.baseUrl, GALA_KEY: environment.GALA_KEY };
    writeFileSync(join(cwd, 'lead.mts'), example.code);
    writeFileSync(join(cwd, 'lead.mjs'), example.code.replaceAll('!', ''));
    const script = `${install.code}\n${tools.code}\nnode lead.mjs`;
    const { stdout } = await run('bash', ['-ec', script], { cwd, env });
    expect(stdout.match(/^visit_booked .*$/gm)).toHaveLength(2);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

test('the scripts that contributors are told of are there', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const code = ofKind('CONTRIBUTING.md', 'sh project').map((block) => block.code);
  const names = [...code.join('').matchAll(/^npm (?:run )?([\w:]+)/gm)].map(([, name]) => name!);
  expect(names).toEqual(['ci', 'check', 'test', 'test:slow', 'test:faults']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names.slice(1)));
});

test('containers are started with what compose.yaml, the Dockerfile and the command line ask for', async () => {
  const [composed, alone] = ofKind('docs/operating.md', 'sh docker').map(({ code }) => code);
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  const demanded = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
  const given = [...composed!.matchAll(/(\w+)=\$\(/g)].map(([, name]) => name!);
  expect(given.sort()).toEqual([...new Set(demanded)].sort());
  const [, inside] = /docker compose exec gala (gala .*)/.exec(composed!)!;
  expect(compose).toMatch(/^ {2}gala:$/m);
  const block = { info: 'sh', line: 0, code: `npx ${inside}` };
  expect(await output('docs/operating.md', block)).toContain('Created the workspace');
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const [, port] = /-p \d+:(\d+)/.exec(alone!)!;
  expect(dockerfile).toContain(`EXPOSE ${port}`);
  const loader = readFileSync(join(ROOT, 'src/platform/config/load-configuration.ts'), 'utf8');
  for (const [, name] of alone!.matchAll(/-e (\w+)=/g)) expect(loader).toContain(`('${name}'`);
});

test('the proxy of the example says what Gala listens to', async () => {
  const [{ code }] = ofKind('docs/operating.md', 'nginx') as [Block];
  const sent = [...code.matchAll(/proxy_set_header (\S+) (\S+);/g)].map(([, name, value]) => [name, value]);
  const values: Record<string, string> = { $scheme: 'https', $remote_addr: '203.0.113.7' };
  const headers = Object.fromEntries(sent.map(([name, value]) => [name, values[value!]!]));
  const trusting = await startGala({
    databaseUrl: gala.databaseUrl,
    configuration: { trustedProxies: ['loopback'], publicUrl: new URL('https://api.example.com') },
  });
  try {
    expect((await trusting.anonymous.get('/docs')).status).toBe(301);
    expect((await trusting.anonymous.get('/docs', { headers })).status).toBe(200);
  } finally {
    await trusting.stop();
  }
});

describe.each(PAGES)('%s', (page) => {
  let last = '';
  test.each(blocksOf(page).map((block) => [block.line, block.info, block] as const))(
    'line %i: %s',
    async (_line, info, block) => {
      if (info === 'json') expect(leveled(last)).toEqual(leveled(block.code));
      else if (info.startsWith('ts')) expect(complaints[fileOf(page, block.line)]).toBe('');
      if (RUNNABLE.includes(info)) last = await output(page, block);
      if (info === 'python' || info === 'ts') expect(last).not.toBe('');
    },
  );
});

test('the receiver made with the SDK takes what is genuine, and nothing else', async () => {
  const page = 'docs/guides/webhooks.md';
  const { line } = blocksOf(page).find(({ info }) => info === 'ts receiver')!;
  const compiled = join(project.path, fileOf(page, line).replace('.mts', '.mjs'));
  const port = await freePort();
  writeFileSync(compiled, readFileSync(compiled, 'utf8').replace('8080', String(port)));
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const env = { ...environment, WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, [compiled], { cwd: project.path, env, stdio: 'ignore' });
  try {
    const body = JSON.stringify({ type: 'lead.created', data: { id: 'lead_1' } });
    const at = new Date();
    const genuine = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
    };
    expect(await answerOf(child, port, body, genuine)).toBe(204);
    expect(await answerOf(child, port, `${body} `, genuine)).toBe(400);
    expect(await answerOf(child, port, body, {})).toBe(400);
  } finally {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  }
});

async function answerOf(
  child: ChildProcess,
  port: number,
  body: string,
  headers: Record<string, string>,
): Promise<number> {
  for (let tries = 0; tries < 400 && child.exitCode === null; tries++) {
    try {
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).status;
    } catch {
      await sleep(50);
    }
  }
  throw new Error('The receiver did not start.');
}
