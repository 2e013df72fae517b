import { join } from 'node:path';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import type { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { SdkProject } from './build-sdk';
import { FlakyProxy } from './flaky-proxy';

jest.setTimeout(120_000);

let gala: TestGala;
let project: SdkProject;
let proxy: FlakyProxy;
let workspace: TestWorkspace;
let client: Client;
let sdk: any;
let importCsv: (file: unknown, options?: object) => Promise<any>;
beforeAll(async () => {
  gala = await startGala();
  gala.app.get(BackgroundJobs).start();
  proxy = await new FlakyProxy(gala.baseUrl).start();
  project = new SdkProject((await gala.anonymous.get('/openapi.json')).text);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- it has only just been built
  sdk = require(join(project.sdk, 'dist/index.js'));
});
afterAll(async () => {
  proxy.stop();
  project.remove();
  await gala.stop();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client('test');
  const token = await workspace.key('test');
  importCsv = (file, options) => new sdk.Gala({ baseUrl: proxy.url, token }).importCsv(file, options);
});

const FILE = 'Name,Email\nAna Pérez,ana@example.com\nBo,nobody\nCy,cy@example.com\n';
const names = async () => {
  const { body } = await client.get('/v1/leads?sort=createdAt');
  return body.data.map(({ name }: { name: string }) => name);
};
const imports = async () => (await client.get('/v1/imports')).body.data;
const refused = (promise: Promise<unknown>): Promise<any> => promise.then(fail, (error: unknown) => error);
const fail = () => {
  throw new Error('It was expected to be refused.');
};

test('a file is imported once, whatever answers get lost, and its progress is told', async () => {
  // Between them, requests arrive.
  const mishaps = ['lost', undefined, 'lost', undefined, { status: 503 }, undefined, undefined, 'lost'];
  proxy.mishaps = mishaps as typeof proxy.mishaps;
  const states: any[] = [];
  const done = await importCsv(FILE, {
    matchBy: 'email',
    defaults: { source: 'fair' },
    onProgress: (state: unknown) => states.push(state),
  });
  expect(done).toMatchObject({ status: 'completed', created: 2, failed: 1, rows: 3 });
  expect(states.at(-1)).toEqual(done);
  expect(states.map(({ status }) => status)).toEqual(expect.arrayContaining(['ready', 'completed']));
  expect(await names()).toEqual(['Ana Pérez', 'Cy']);
  expect(await imports()).toHaveLength(1);
});

test.each([
  ['text', () => FILE],
  ['bytes', () => Buffer.from(`\ufeff${FILE}`, 'utf16le')],
  ['a Blob', () => new Blob([FILE])],
])('a file may be %s', async (_, file) => {
  expect(await importCsv(file())).toMatchObject({ status: 'completed', created: 2 });
  expect(await names()).toEqual(['Ana Pérez', 'Cy']);
});

test('a check alone imports nothing', async () => {
  const checked = await importCsv(FILE, { checkOnly: true });
  expect(checked).toMatchObject({ status: 'ready', willCreate: 2, willFail: 1 });
  expect(await names()).toEqual([]);
});

test.each([
  ['Email\n"a@example.com\n', /^Line 2: a quotation mark is opened/, 'failed'],
  [
    'Email,Date\na@example.com,05/06/2027\n',
    /^dateFormat must be given: the dates of the column “Date”/,
    'ready',
  ],
])('a file that can’t be imported as it is throws an error: %j', async (file, message, status) => {
  const error = await refused(importCsv(file));
  expect(error).toBeInstanceOf(sdk.ImportError);
  expect(error).toMatchObject({ name: 'ImportError', message: expect.stringMatching(message) });
  expect(error.state).toMatchObject({ status, id: (await imports())[0].id });
  expect(await names()).toEqual([]);
});

test('what the service refuses throws the error of its code', async () => {
  const error = await refused(importCsv(FILE, { mapping: [{ column: 'Email', field: 'shoe' }] }));
  expect(error).toBeInstanceOf(sdk.ValidationError);
  expect(error.field).toBe('mapping[0].field');
});

test('the wait can be ended', async () => {
  const controller = new AbortController();
  const waiting = importCsv(FILE, { signal: controller.signal, onProgress: () => controller.abort() });
  expect(await refused(waiting)).toMatchObject({ name: 'AbortError' });
});
