import { OPERATOR } from '../../src/kernel/actor';
import { type Id, newId, toUuid } from '../../src/kernel/ids';
import { ChangeImport } from '../../src/modules/imports/application/change-import';
import { CheckFile } from '../../src/modules/imports/application/check-file';
import { type CheckClaim, CheckQueue } from '../../src/modules/imports/application/check-queue';
import { CreateImport } from '../../src/modules/imports/application/create-import';
import { ImportLeads } from '../../src/modules/imports/application/import-leads';
import { ImportRows } from '../../src/modules/imports/application/import-rows';
import { ReceiveFile } from '../../src/modules/imports/application/receive-file';
import { RunImport } from '../../src/modules/imports';
import { WriteLeads } from '../../src/modules/leads';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { createImport, sendFile } from './support';

/** No background jobs run: each test makes the steps itself. */
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  // Nothing of an earlier test is due.
  await sql(
    gala.databaseUrl,
    `UPDATE imports SET status = 'cancelled', finished_at = now() WHERE finished_at IS NULL`,
  );
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const FILE = 'Name,Email\nAna,ana@example.com\nBo,bo@example.com\n';
const get = <T>(type: abstract new (...parameters: never[]) => T): T =>
  gala.app.get<T>(type, { strict: false });
const refOf = ({ id }: TestWorkspace) => ({ workspaceId: id, mode: 'live' }) as const;
const claimOne = async (): Promise<CheckClaim> => (await get(CheckQueue).claim(1, []))[0]!;
const batchesOf = (id: string) =>
  sql(gala.databaseUrl, 'SELECT FROM import_batches WHERE import_id = $1', [toUuid(id as Id<'imp'>)]);
const filesOf = ({ id }: TestWorkspace) =>
  sql(gala.databaseUrl, 'SELECT FROM import_files WHERE workspace_id = $1', [toUuid(id)]);

async function upload(of: TestWorkspace, text = FILE): Promise<string> {
  const { id } = await get(CreateImport).execute(refOf(of), OPERATOR, {});
  // eslint-disable-next-line @typescript-eslint/require-await -- a file arrives bit by bit
  const chunks = (async function* () {
    yield Buffer.from(text);
  })();
  const file = await get(ReceiveFile).receive(refOf(of), chunks);
  await get(ChangeImport).takeFile(refOf(of), id, file.id);
  return id;
}

async function check(text = FILE): Promise<any> {
  const id = await upload(workspace, text);
  await get(CheckFile).execute(await claimOne());
  return (await client.get(`/v1/imports/${id}`)).body;
}

describe('room', () => {
  test('rows of a cancelled import are dropped, but those that failed', async () => {
    const { id } = await check();
    expect(await batchesOf(id)).toHaveLength(1);
    expect(await client.post(`/v1/imports/${id}/cancel`)).toMatchObject({ status: 200 });
    expect(await batchesOf(id)).toEqual([]);

    const many = Array.from(
      { length: 1100 },
      (_, index) => `Lead ${index},${index ? `l${index}@example.com` : 'no'}\n`,
    );
    const running = await check(`Name,Email\n${many.join('')}`);
    await client.post(`/v1/imports/${running.id}/start`);
    for (const _ of ['the file', 'the first batch']) await get(ImportLeads).execute();
    await client.post(`/v1/imports/${running.id}/cancel`);
    expect(await batchesOf(running.id)).toHaveLength(1);
    expect((await client.get(`/v1/imports/${running.id}/failed.csv`)).text).toContain('Lead 0,no,2,');
  });

  test('rows of a check that broke off are dropped when the next one begins', async () => {
    const id = await upload(workspace);
    const first = await claimOne();
    await get(ImportRows).addBatch(first, { number: 0, firstRow: 1, rows: [{ line: 2, cells: ['Ana'] }] });
    await client.patch(`/v1/imports/${id}`, { encoding: 'utf-16le' });
    const broken = jest
      .spyOn(get(CheckFile) as any, 'check')
      .mockRejectedValue(new Error('It broke off, too.'));
    try {
      await expect(get(CheckFile).execute(await claimOne())).rejects.toThrow('It broke off, too.');
    } finally {
      broken.mockRestore();
    }
    expect(await batchesOf(id)).toEqual([]);
  });

  test('a file that the import refuses is dropped', async () => {
    const { id } = await createImport(client);
    for (const headers of [{ 'If-Match': '"7"' }, { 'If-Match': '"7"', 'Idempotency-Key': newId('evt') }]) {
      expectRefusal(await sendFile(client, id, FILE, { headers }), 422, { field: 'If-Match' });
    }
    await client.post(`/v1/imports/${id}/cancel`);
    const headers = { 'Idempotency-Key': newId('evt') };
    expectRefusal(await sendFile(client, id, FILE, { headers }), 422, { field: 'status' });
    expectRefusal(await sendFile(client, newId('imp'), FILE, { headers }), 404);
    expect(await filesOf(workspace)).toEqual([]);
  });

  test('rows that have failed count, until they are dropped', async () => {
    const { id } = await check('Name,Email\nAna,ana@example.com\nBo,nobody\n');
    await sql(gala.databaseUrl, 'UPDATE imports SET failed = 11000000 WHERE id = $1', [toUuid(id)]);
    const other = await createImport(client);
    expectRefusal(await sendFile(client, other.id, FILE), 422, { field: 'file' });
    await sql(gala.databaseUrl, 'UPDATE imports SET dropped_at = now() WHERE id = $1', [toUuid(id)]);
    expect(await sendFile(client, other.id, FILE)).toMatchObject({ status: 200 });
  });
});

describe('a report', () => {
  test('cuts the dates that it asks about', async () => {
    const date = `05/06/2027 10:00:00.${'0'.repeat(200_000)}`;
    const { ambiguous } = await check(`Email,Event date\na@example.com,${date}\n`);
    expect(ambiguous).toMatchObject([{ samples: [`${date.slice(0, 100)}…`] }]);
  });

  test('has samples of the first columns, when many have long cells', async () => {
    const columns = Array.from({ length: 500 }, (_, index) => index);
    const line = columns.map((index) => `${index} ${'x'.repeat(300)}`).join(',');
    const { columns: found } = await check(
      `${columns.map((index) => `c${index}`).join(',')}\n${`${line}\n`.repeat(4)}`,
    );
    const samples: string[] = found.flatMap((column: any) => column.samples);
    expect(samples.join('').length).toBeGreaterThan(30_000);
    expect(samples.join('').length).toBeLessThan(34_000);
    expect(found).toHaveLength(500);
  });

  test('takes any name for that of a column of dates', async () => {
    for (const name of ['__proto__', 'constructor']) {
      const id = await upload(
        workspace,
        `Email,${name}\na@example.com,05/06/2027\nb@example.com,25/06/2027\n`,
      );
      const mapping = [
        { column: 'Email', field: 'email' },
        { column: name, field: 'eventDate' },
      ];
      expect(await client.patch(`/v1/imports/${id}`, { mapping })).toMatchObject({ status: 200 });
      await get(CheckFile).execute(await claimOne());
      await client.post(`/v1/imports/${id}/start`);
      while ((await get(ImportLeads).execute()) > 0);
      expect((await client.get(`/v1/imports/${id}`)).body).toMatchObject({ created: 2, failed: 0 });
    }
    const { body } = await client.get('/v1/leads?sort=createdAt');
    expect(body.data.map(({ eventDate }: any) => eventDate).sort()).toEqual([
      '2027-06-05',
      '2027-06-05',
      '2027-06-25',
      '2027-06-25',
    ]);
  });
});

test('the cells of a row that has too many are all in the file of failed rows', async () => {
  const { id } = await check('Name,Email\nPérez,Ana,=ana@example.com\nBo,bo@example.com\n');
  await client.post(`/v1/imports/${id}/start`);
  while ((await get(ImportLeads).execute()) > 0);
  const { text } = await client.get(`/v1/imports/${id}/failed.csv`);
  expect(text).toMatch(/\r\nPérez,Ana,2,".*",'=ana@example.com\r\n$/);
});

test('workspaces take turns at checks, whatever number of files each has', async () => {
  const other = await gala.createWorkspace();
  for (const _ of [1, 2, 3]) await upload(workspace);
  await upload(other);
  const claims = [];
  for (const _ of [1, 2, 3]) claims.push(await get(CheckQueue).claim(1, []));
  expect(claims.map((each) => each.map(({ ref }) => ref.workspaceId))).toEqual([
    [workspace.id],
    [other.id],
    [workspace.id],
  ]);
});

test('a step of another import that fails doesn’t end the command that imports', async () => {
  const other = await gala.createWorkspace();
  const failing = await upload(other);
  await get(CheckFile).execute(await claimOne());
  await get(ChangeImport).start(refOf(other), failing as Id<'imp'>);
  await get(ImportLeads).execute();
  const { id } = await check();
  const write = jest.spyOn(get(WriteLeads), 'run').mockRejectedValueOnce(new Error('The disk is full.'));
  try {
    const done = await get(RunImport).start(refOf(workspace), id, () => undefined);
    expect(done).toMatchObject({ status: 'completed', created: 2 });
    expect(write).toHaveBeenCalledTimes(2);
  } finally {
    write.mockRestore();
  }
});
