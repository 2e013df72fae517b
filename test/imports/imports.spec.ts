import { type Id, newId, toUuid } from '../../src/kernel/ids';
import { allEvents } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { check, createImport, importFile, leadsOf, reaches, rowsOf, sendFile, start } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  gala.app.get(BackgroundJobs).start();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const ABANDONED =
  'SELECT FROM import_files f WHERE NOT EXISTS (SELECT FROM imports i WHERE i.file_id = f.id)';
const FILE = 'Name,Email,Guests\nAna,ana@example.com,20\nBo,bo@,30\nCy,cy@example.com,\n';
const many = (count: number, from = 0) =>
  `Email,Name\n${Array.from({ length: count }, (_, index) => `lead${from + index}@example.com,Lead ${from + index}\n`).join('')}`;

test('an import creates leads, and tells of each row what became of it', async () => {
  const checked = await check(client, FILE, { defaults: { source: 'fair', tags: ['2027'] } });
  expect(checked).toMatchObject({
    ...{ status: 'ready', encoding: 'utf-8', delimiter: ',', rows: 3, processed: 0 },
    ...{ willCreate: 2, willUpdate: 0, willFail: 1, ambiguous: [] },
    problems: [{ field: 'email', count: 1, lines: [3] }],
  });
  expect(checked.columns).toEqual([
    { name: 'Name', header: 'Name', field: 'name', samples: ['Ana', 'Bo', 'Cy'] },
    { name: 'Email', header: 'Email', field: 'email', samples: ['ana@example.com', 'bo@', 'cy@example.com'] },
    { name: 'Guests', header: 'Guests', field: 'guests', samples: ['20', '30'] },
  ]);
  expect(await leadsOf(client)).toEqual([]);

  const done = await start(client, checked.id);
  expect(done).toMatchObject({
    ...{ status: 'completed', processed: 3, created: 2, updated: 0, unchanged: 0, failed: 1 },
    ...{ failure: null, preview: [], startedAt: expect.any(String), finishedAt: expect.any(String) },
  });
  const [ana, cy] = await leadsOf(client);
  expect([ana, cy]).toMatchObject([
    { name: 'Ana', guests: 20, source: 'fair', tags: ['2027'] },
    { name: 'Cy', guests: null, source: 'fair', tags: ['2027'] },
  ]);
  expect(await rowsOf(client, checked.id)).toEqual([
    { number: 1, line: 2, status: 'created', leadId: ana.id, problems: [] },
    { number: 2, line: 3, status: 'failed', leadId: null, problems: checked.preview[1].problems },
    { number: 3, line: 4, status: 'created', leadId: cy.id, problems: [] },
  ]);
  expect(await rowsOf(client, checked.id, '&status=failed')).toMatchObject([{ line: 3 }]);
  expect((await client.get(`/v1/imports/${checked.id}/failed.csv`)).text).toBe(
    `\ufeffName,Email,Guests,Line,Problem\r\nBo,bo@,30,3,email: ${checked.problems[0].message}\r\n`,
  );
});

test('its events have the import as their cause', async () => {
  const { id } = await importFile(client, FILE);
  const events = (await allEvents(gala, workspace.id)).filter(({ type }) => type !== 'api_key.created');
  expect(events.map(({ type, cause }) => [type, cause])).toEqual([
    ['lead.created', { type: 'import', id }],
    ['lead.created', { type: 'import', id }],
    ['import.completed', { type: 'import', id }],
  ]);
  expect(events.at(-1)!.data).toEqual((await client.get(`/v1/imports/${id}`)).body);
});

test('dates that can be read in two ways have to be answered for', async () => {
  const checked = await check(
    client,
    'Email,Event date\na@example.com,05/06/2027\nb@example.com,07/08/2027\n',
  );
  expect(checked.ambiguous).toEqual([
    {
      field: 'dateFormat',
      column: 'Event date',
      options: ['DD/MM/YYYY', 'MM/DD/YYYY'],
      samples: ['05/06/2027', '07/08/2027'],
      message: expect.stringContaining('can be read as DD/MM/YYYY and as MM/DD/YYYY'),
    },
  ]);
  const path = `/v1/imports/${checked.id}`;
  expectRefusal(await client.post(`${path}/start`), 422, { field: 'dateFormat' });
  expect(await client.patch(path, { dateFormat: 'MM/DD/YYYY' })).toMatchObject({
    body: { status: 'checking' },
  });
  expect(await reaches(client, checked.id, 'ready')).toMatchObject({ ambiguous: [] });
  await start(client, checked.id);
  expect((await leadsOf(client)).map(({ eventDate }) => eventDate)).toEqual(['2027-05-06', '2027-07-08']);
});

test('dates of which one fits a single format are all read in it', async () => {
  await importFile(client, 'Email,Event date\na@example.com,05/06/2027\nb@example.com,13/06/2027 00:00\n');
  expect((await leadsOf(client)).map(({ eventDate }) => eventDate)).toEqual(['2027-06-05', '2027-06-13']);
});

test('a phone that a spreadsheet has rounded is refused with what happened to it', async () => {
  const { problems } = await check(client, 'Email,Phone\na@example.com,3.46E+10\nb@example.com,"3,46E+10"\n');
  expect(problems).toMatchObject([
    {
      field: 'phone',
      count: 1,
      message: expect.stringContaining('rounded to 3.46E+10, its last digits are lost'),
    },
    { field: 'phone', count: 1, message: expect.stringContaining('rounded to 3,46E+10') },
  ]);
});

test('stages and owners are found by their names', async () => {
  await importFile(client, 'Email,Stage,Owner\na@example.com,CONTACTED,OWNER@example.com\n');
  const [owner] = (await client.get('/v1/members')).body.data;
  expect(await leadsOf(client)).toMatchObject([{ stage: 'contacted', ownerId: owner.id }]);
});

test('a mapping chooses columns, several of them for a name or tags', async () => {
  const file = 'First,Last,Contact,Kind,Size\nAna,Pérez,ana@example.com,vip,"big; garden"\n';
  const mapping = [
    { column: 'First', field: 'name' },
    { column: 'Last', field: 'name' },
    { column: 'Contact', field: 'email' },
    { column: 'Kind', field: 'tags' },
    { column: 'Size', field: 'tags' },
  ];
  const { id } = await check(client, file);
  expect(await client.patch(`/v1/imports/${id}`, { mapping })).toMatchObject({ status: 200 });
  await reaches(client, id, 'ready');
  await start(client, id);
  expect(await leadsOf(client)).toMatchObject([{ name: 'Ana Pérez', tags: ['vip', 'big', 'garden'] }]);
});

test.each<[object, string]>([
  [{ mapping: [{ column: 'Mail', field: 'email' }] }, 'mapping[0].column'],
  [{ mapping: [{ column: 'Email', field: 'shoeSize' }] }, 'mapping[0].field'],
  [{ mapping: [{ column: 'Email', field: 'custom.size' }] }, 'mapping[0].field'],
  [
    {
      mapping: [
        { column: 'Email', field: 'email' },
        { column: 'Name', field: 'email' },
      ],
    },
    'mapping[1].field',
  ],
  [
    {
      mapping: [
        { column: 'Email', field: 'email' },
        { column: 'Email', field: 'name' },
      ],
    },
    'mapping[1].column',
  ],
  [{ defaults: { guests: 0 } }, 'defaults.guests'],
  [{ defaults: { email: 'a@example.com' } }, 'defaults.email'],
  [{ defaults: { shoeSize: 1 } }, 'defaults.shoeSize'],
  [{ matchBy: 'name' }, 'matchBy'],
  [{ encoding: 'utf-7' }, 'encoding'],
])('options are refused: %j', async (options, field) => {
  const { id } = await check(client, FILE);
  expectRefusal(await client.patch(`/v1/imports/${id}`, options), 422, { field });
  if (field !== 'mapping[0].column') expectRefusal(await client.post('/v1/imports', options), 422, { field });
});

test('a change without effect checks nothing again, and null goes back to the default', async () => {
  const { id, revision } = await check(client, FILE, { matchBy: 'email' });
  expect((await client.patch(`/v1/imports/${id}`, { matchBy: 'email' })).body).toMatchObject({
    status: 'ready',
    revision,
  });
  expect((await client.patch(`/v1/imports/${id}`, { matchBy: null })).body).toMatchObject({
    matchBy: 'none',
  });
  await reaches(client, id, 'ready');
});

test('another file replaces the first, also one that can’t be read', async () => {
  const { id } = await check(client, '');
  expect((await allEvents(gala, workspace.id)).map(({ type }) => type)).toContain('import.failed');
  await sendFile(client, id, FILE);
  expect(await reaches(client, id, 'ready')).toMatchObject({ rows: 3, failure: null });
  const files = 'SELECT FROM import_files WHERE workspace_id = $1';
  expect(await sql(gala.databaseUrl, files, [toUuid(workspace.id)])).toHaveLength(1);
});

test('the file is sent as CSV, and nothing else', async () => {
  const { id } = await createImport(client);
  for (const type of ['application/json', 'text/plain', 'multipart/form-data', '']) {
    const answer = await sendFile(client, id, FILE, { headers: { 'Content-Type': type } });
    expectRefusal(answer, 400);
  }
  expectRefusal(await sendFile(client, id, FILE, { headers: { 'Content-Encoding': 'gzip' } }), 400);
  expectRefusal(
    await client.post(`/v1/imports/${id}/file?x=1`, FILE, { headers: { 'Content-Type': 'text/csv' } }),
    422,
    { field: 'x' },
  );
  expectRefusal(await sendFile(client, newId('imp'), FILE), 404);
  const huge = { 'Content-Length': String(128 * 1024 ** 2 + 128 * 1024) };
  expectRefusal(await sendFile(client, id, FILE, { headers: huge }), 400);
  expect(await client.get(`/v1/imports/${id}`)).toMatchObject({ body: { status: 'awaiting_file' } });
  expect(await sql(gala.databaseUrl, ABANDONED)).toEqual([]);
});

test('a file that is sent again with its idempotency key is taken once', async () => {
  const { id } = await createImport(client);
  const headers = { 'Idempotency-Key': newId('evt') };
  const first = await sendFile(client, id, FILE, { headers });
  await reaches(client, id, 'ready');
  await start(client, id);
  const again = await sendFile(client, id, FILE, { headers });
  expect(again).toMatchObject({ status: 200, headers: { 'idempotency-replayed': 'true' } });
  expect(again.body).toEqual(first.body);
  expectRefusal(await sendFile(client, id, 'Email\n', { headers }), 422, { field: 'Idempotency-Key' });
  expectRefusal(await sendFile(client, id, FILE), 422, { field: 'status' });
  expect(await sql(gala.databaseUrl, ABANDONED)).toEqual([]);
});

test('one import of a workspace and mode runs at a time', async () => {
  const [one, other] = [await check(client, many(3000)), await check(client, many(3))];
  const elsewhere = await workspace.client('test');
  const inTest = await check(elsewhere, many(3));
  const answers = await Promise.all([one, other].map(({ id }) => client.post(`/v1/imports/${id}/start`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  expectRefusal(
    answers.find(({ status }) => status === 422)!,
    422,
    { field: 'status' },
  );
  expect(await start(elsewhere, inTest.id)).toMatchObject({ status: 'completed', created: 3 });
  const running = answers.find(({ status }) => status === 200)!.body;
  expect((await client.post(`/v1/imports/${running.id}/start`)).status).toBeLessThan(500);
  await reaches(client, running.id, 'completed');
  const waiting = running.id === one.id ? other : one;
  expect(await start(client, waiting.id)).toMatchObject({ status: 'completed' });
});

test('a batch follows the other, and pages of rows walk through all of them', async () => {
  const { id } = await importFile(client, many(1203));
  const left = 'SELECT FROM import_batches WHERE import_id = $1';
  expect(await sql(gala.databaseUrl, left, [toUuid(id as Id<'imp'>)])).toEqual([]);
  const numbers: number[] = [];
  for (let cursor = ''; ;) {
    const { body } = await client.get(`/v1/imports/${id}/rows?limit=100&status=created${cursor}`);
    numbers.push(...body.data.map(({ number }: any) => number));
    expect(body.pagination.total).toBe(1203);
    if (!body.pagination.nextCursor) break;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
  expect(numbers).toEqual(Array.from({ length: 1203 }, (_, index) => index + 1));
  const { body } = await client.get(`/v1/imports/${id}/rows?limit=100&page=13`);
  expect(body).toMatchObject({ data: { length: 3 }, pagination: { total: 1203, pages: 13, hasNext: false } });
});

test('an import can be cancelled until it has ended', async () => {
  const { id } = await check(client, many(3000));
  await client.post(`/v1/imports/${id}/start`);
  const cancelled = (await client.post(`/v1/imports/${id}/cancel`)).body;
  expect(cancelled).toMatchObject({ status: 'cancelled', finishedAt: expect.any(String) });
  expect((await client.post(`/v1/imports/${id}/cancel`)).body).toEqual(cancelled);
  expectRefusal(await client.post(`/v1/imports/${id}/start`), 422, { field: 'status' });
  const { pagination } = (await client.get('/v1/leads')).body;
  expect(pagination.total).toBe(cancelled.created);
  const done = await importFile(client, FILE);
  expectRefusal(await client.post(`/v1/imports/${done.id}/cancel`), 422, { field: 'status' });
  expectRefusal(await client.patch(`/v1/imports/${done.id}`, { matchBy: 'email' }), 422, { field: 'status' });
});

test('a change by a stale state is refused', async () => {
  const { id } = await check(client, FILE);
  const headers = { 'If-Match': '"1"' };
  for (const answer of [
    await client.patch(`/v1/imports/${id}`, { matchBy: 'email' }, { headers }),
    await client.post(`/v1/imports/${id}/start`, undefined, { headers }),
    await client.post(`/v1/imports/${id}/cancel`, undefined, { headers }),
    await sendFile(client, id, FILE, { headers }),
  ]) {
    expectRefusal(answer, 422, { field: 'If-Match' });
  }
});

test('imports are of their workspace and mode', async () => {
  const { id } = await check(client, FILE);
  for (const stranger of [await workspace.client('test'), await (await gala.createWorkspace()).client()]) {
    for (const path of ['', '/rows', '/failed.csv'])
      expectRefusal(await stranger.get(`/v1/imports/${id}${path}`), 404);
    for (const path of ['/start', '/cancel'])
      expectRefusal(await stranger.post(`/v1/imports/${id}${path}`), 404);
    expectRefusal(await sendFile(stranger, id, FILE), 404);
    expectRefusal(await stranger.patch(`/v1/imports/${id}`, {}), 404);
    expect((await stranger.get('/v1/imports')).body.data).toEqual([]);
  }
  expect((await client.get('/v1/imports')).body.data).toMatchObject([{ id, status: 'ready' }]);
});
