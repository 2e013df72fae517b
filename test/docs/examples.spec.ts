import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { GUIDES } from '../../src/platform/openapi/guides';
import { challengeOf, newApp } from '../oauth/support';
import { SdkProject } from '../sdk/build-sdk';
import { build, freePort, ROOT } from '../support/gala-process';
import { startGala, type TestGala } from '../support/start-gala';
import { type Block, blocksOf } from './markdown';

// Building the service and the SDK takes its time on a busy machine.
jest.setTimeout(600_000);

const GUIDE_PAGES = Object.keys(GUIDES).map((name) => `docs/guides/${name}.md`);
const PAGES = [...GUIDE_PAGES, 'README.md', 'sdk/README.md', 'docs/performance.md'];
/** Pages whose examples other tests run, or whose drawing they compare. */
const ELSEWHERE = ['docs/architecture.md', 'docs/extending.md'];
/** What can be run, and what is something else than a program: an answer to compare, or to look at. */
const RUNNABLE = ['sh', 'python', 'ts'];
const RUN_ELSEWHERE = ['js receiver', 'python receiver', 'ts receiver', 'sh ci'];
const NOT_RUNNABLE = ['json', 'text', 'http'];

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const run = promisify(execFile);

let gala: TestGala;
let project: SdkProject;
let complaints: Record<string, string>;
let environment: Record<string, string>;
beforeAll(async () => {
  build();
  gala = await startGala();
  project = new SdkProject((await gala.anonymous.get('/openapi.json')).text);
  complaints = project.compile(Object.fromEntries(typescript().map(({ file, code }) => [file, code])));
  const bin = join(project.path, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec node ${join(ROOT, 'bin/gala.js')} "$@"\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  const key = await (await gala.createWorkspace()).key('test');
  environment = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: project.path,
    GALA_URL: gala.baseUrl,
    GALA_KEY: key,
    KEY: key,
    DATABASE_URL: gala.databaseUrl,
    DATA_DIR: join(project.path, 'data'),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...(await oauthApp()),
  };
});
afterAll(async () => {
  project.remove();
  await gala.stop();
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
  const options = { cwd: project.path, env: environment, maxBuffer: 2 ** 24 };
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
  const documents = readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[];
  const withFences = documents
    .map((name) => join('docs', name))
    .filter((name) => name.endsWith('.md') && readFileSync(join(ROOT, name), 'utf8').includes('\n```'));
  expect(withFences.filter((name) => !PAGES.includes(name) && !ELSEWHERE.includes(name))).toEqual([]);
  const known = [...RUNNABLE, ...RUN_ELSEWHERE, ...NOT_RUNNABLE];
  for (const page of PAGES) {
    const unknown = blocksOf(page).filter(({ info }) => !known.includes(info));
    expect({ page, unknown }).toEqual({ page, unknown: [] });
  }
  const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  const byCi = PAGES.flatMap(blocksOf).filter(({ info }) => info === 'sh ci');
  for (const { code } of byCi) for (const command of code.trim().split(' && ')) expect(ci).toContain(command);
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
