import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/gala-process';
import { fileNeeds } from '../support/requirements';
import { SdkProject } from './build-sdk';

fileNeeds('tar');

jest.setTimeout(120_000);

let project: SdkProject;
/** A folder in which the packed SDK is installed. */
let folder: string;
beforeAll(() => {
  project = new SdkProject(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  folder = mkdtempSync(join(tmpdir(), 'gala-sdk-package-'));
  const installed = join(folder, 'node_modules/@gala/sdk');
  mkdirSync(installed, { recursive: true });
  const pack = ['pack', '--silent', '--pack-destination', folder];
  const tarball = execFileSync('npm', pack, { cwd: project.sdk, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1']);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  // The project's programs are compiled against the package.
  rmSync(join(project.path, 'node_modules/@gala/sdk'), { recursive: true });
  cpSync(installed, join(project.path, 'node_modules/@gala/sdk'), { recursive: true });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  project.remove();
});

const REPORT = `
  const { Gala, GalaError, NotFoundError, verifyWebhook, WebhookVerificationError } = sdk;
  const fetch = () => Promise.resolve(Response.json({ error: { code: 'not_found' } }, { status: 404 }));
  let refused;
  try { verifyWebhook('whsec_Z2FsYQ==', {}, ''); } catch (error) { refused = error; }
  new Gala({ baseUrl: 'http://gala.invalid', token: '', fetch }).get('/v1/me').catch((error) => {
    console.log(JSON.stringify({
      names: Object.keys(sdk).sort(),
      isNotFound: error instanceof NotFoundError && error instanceof GalaError,
      isRefused: refused instanceof WebhookVerificationError,
    }));
  });`;

function report(kind: 'commonjs' | 'module', load: string): unknown {
  const args = [`--input-type=${kind}`, '--throw-deprecation', '-e', `${load}\n${REPORT}`];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
}

test('the packed SDK is required and imported, each from its own build', () => {
  const required = report('commonjs', `const sdk = require('@gala/sdk');`);
  expect(required).toMatchObject({ isNotFound: true, isRefused: true });
  expect(required).toMatchObject({ names: expect.arrayContaining(['Gala', 'RateLimitError']) });
  expect(report('module', `import * as sdk from '@gala/sdk';`)).toEqual(required);
  const resolved = ['-p', `require.resolve('@gala/sdk')`];
  expect(execFileSync(process.execPath, resolved, { cwd: folder, encoding: 'utf8' }).trim()).toMatch(
    /dist\/cjs\/index\.js$/,
  );
});

test('no file of it names a module of Node', () => {
  const dist = join(folder, 'node_modules/@gala/sdk/dist');
  const files = (readdirSync(dist, { recursive: true }) as string[]).filter((name) => /\.js$/.test(name));
  expect(files).toEqual(
    expect.arrayContaining(['index.js', 'transport.js', 'cjs/index.js', 'cjs/webhooks.js']),
  );
  for (const name of files) {
    const text = readFileSync(join(dist, name), 'utf8');
    expect({ name, found: /node:|\bBuffer\b|\bprocess\b/.exec(text)?.[0] }).toEqual({
      name,
      found: undefined,
    });
  }
});

/** With declarations that fit the kind of module, TypeScript accepts the same programs and refuses the same mistakes. */
test('it has types for ES modules and for CommonJS', () => {
  const wrap = (call: string) =>
    `import { Gala } from '@gala/sdk';\nconst gala = new Gala({ baseUrl: '', token: '' });\nvoid ${call}\n`;
  const programs = (extension: string) => ({
    [`right.${extension}`]: wrap(
      `gala.post('/v1/leads', { body: { email: '' }, headers: { 'X-Request-Id': 'a' } });`,
    ),
    [`field.${extension}`]: wrap(`gala.post('/v1/leads', { body: { email: '', colour: 'red' } });`),
    [`path.${extension}`]: wrap(`gala.get('/v1/leeds', {});`),
    [`answer.${extension}`]: wrap(`gala.get('/v1/me').then(({ mode }) => mode.toFixed());`),
  });
  const complaints = project.compile({ ...programs('mts'), ...programs('cts') });
  for (const extension of ['mts', 'cts']) {
    expect(complaints[`right.${extension}`]).toBe('');
    expect(complaints[`field.${extension}`]).toContain('colour');
    expect(complaints[`path.${extension}`]).toContain('/v1/leeds');
    expect(complaints[`answer.${extension}`]).toContain('toFixed');
  }
});
