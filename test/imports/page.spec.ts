import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { newSecretToken } from '../../src/kernel/secret-token';
import type { Answer, Client } from '../support/http-client';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { leadsOf, reaches } from './support';

/** As the file was read. */
const READING = { encoding: 'utf-8', delimiter: ',' };
const OPTIONS = { matchBy: 'none', onExisting: 'overwrite', onMultiple: 'refuse', onEmpty: 'keep' };

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let browser: PageClient;
let path: string;
beforeAll(async () => {
  gala = await startGala();
  gala.app.get(BackgroundJobs).start();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  browser = await browserOf(gala, 'owner@example.com');
  path = `/settings/${workspace.id}/live/imports`;
});
afterAll(() => gala.stop());

/** As a browser sends the form: its fields, and then the file. */
async function upload(file: string, fields: Record<string, string> = {}): Promise<Answer> {
  const tokens = { csrfToken: await browser.csrfToken(path), submission: newSecretToken() };
  const boundary = '----form';
  const parts = Object.entries({ ...tokens, ...OPTIONS, ...fields }).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="leads.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  return browser.request('POST', path, `${parts.join('')}${head}${file}\r\n--${boundary}--\r\n`, {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  });
}

async function checked(file: string, fields?: Record<string, string>): Promise<{ id: string; page: string }> {
  const { status, headers, text } = await upload(file, fields);
  expect({ status, text: status === 303 ? '' : text }).toEqual({ status: 303, text: '' });
  const page = headers.location!;
  const id = page.split('/').at(-1)!;
  await reaches(client, id, 'ready', 'failed');
  return { id, page };
}

test('a file is uploaded, checked, mapped and imported', async () => {
  const file = 'Name,Contact,Guests\nAna & Bo,ana@example.com,20\nCy,nobody,30\n';
  const { id, page } = await checked(file, { delimiter: ',' });
  const before = await browser.get(page);
  expect(before.text).toContain('Email is required');
  const mapping = { column0: 'name', column1: 'email', column2: 'guests' };
  expect(await browser.submit(page, { ...OPTIONS, ...READING, ...mapping }, { on: page })).toMatchObject({
    status: 303,
  });
  await reaches(client, id, 'ready');
  const { text } = await browser.get(page);
  expect(text).toContain('Ana &amp; Bo · ana@example.com · 20');
  expect(text).toContain('Import 1 lead');
  expect(await browser.submit(`${page}/start`, {}, { on: page })).toMatchObject({ status: 303 });
  await reaches(client, id, 'completed');
  expect(await leadsOf(client)).toMatchObject([{ name: 'Ana & Bo', guests: 20 }]);
  const after = await browser.get(page);
  expect(after.text).toContain('Rows that failed');
  const failed = await browser.get(`${page}/failed.csv`);
  expect(failed.headers['content-type']).toMatch(/^text\/csv/);
  expect(failed.text).toMatch(/^\ufeffName,Contact,Guests,Line,Problem\r\nCy,nobody,30,3,email: /);
  expect((await browser.get(path)).text).toContain('Completed');
});

test('two columns for one field are refused at the second one', async () => {
  const { page } = await checked('Name,Email,Mail\nAna,ana@example.com,a@example.com\n');
  const mapping = { column0: 'name', column1: 'email', column2: 'email' };
  const fields = { ...OPTIONS, ...READING, ...mapping };
  const refused = await browser.submit(page, fields, { on: page });
  expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('href="#options-column2"') });
  expect(refused.text).toContain('Field of Mail has another column already');
});

test('what has to be answered is shown, and can be', async () => {
  const { id, page } = await checked('Email,Date\na@example.com,05/06/2027\n');
  expect((await browser.get(page)).text).toContain('can be read as DD/MM/YYYY or MM/DD/YYYY');
  const refused = await browser.submit(`${page}/start`, {}, { on: page });
  expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('must be given') });
  const mapping = { column0: 'email', column1: 'eventDate' };
  const answers = { ...OPTIONS, ...READING, ...mapping, dateFormat: 'DD/MM/YYYY' };
  await browser.submit(page, answers, { on: page });
  expect(await reaches(client, id, 'ready')).toMatchObject({ ambiguous: [] });
  expect(await browser.submit(`${page}/cancel`, {}, { on: page })).toMatchObject({ status: 303 });
  expect((await browser.get(page)).text).toContain('Cancelled');
});

test('a file that can’t be read is told with its line and the reason', async () => {
  const { page } = await checked('Email\n"a@example.com\n');
  expect((await browser.get(page)).text).toContain(
    'Line 2: a quotation mark is opened in this row and never closed',
  );
});

test('a form without a file, or of another site, makes no import', async () => {
  expect(await upload('')).toMatchObject({ status: 422 });
  const foreign = await upload('Email\n', { csrfToken: 'x' });
  expect(foreign.status).toBe(403);
  expect((await client.get('/v1/imports')).body.data).toEqual([]);
});

test('a form that is refused before its file is read leaves its connection to the next request', async () => {
  const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${'x'.repeat(500_000)}\r\n--x--\r\n`;
  const { hostname, port } = new URL(gala.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
      'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  const statuses = (await text(socket)).match(/HTTP\/1.1 \d+/g);
  expect(statuses).toEqual(['HTTP/1.1 303', 'HTTP/1.1 200']);
});
