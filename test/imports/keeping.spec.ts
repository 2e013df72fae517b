import { Readable } from 'node:stream';
import { OPERATOR } from '../../src/kernel/actor';
import { Clock } from '../../src/kernel/clock';
import { RunImport } from '../../src/modules/imports';
import { DropImports } from '../../src/modules/imports/application/drop-imports';
import { ImportFiles } from '../../src/modules/imports/application/import-files';
import { ImportLeads, StepFailed } from '../../src/modules/imports/application/import-leads';
import { WriteLeads } from '../../src/modules/leads';
import { allEvents } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { leadsOf, rowsOf } from './support';

/** In seconds. */
const DAY = 24 * 3600;
const FILE = 'Name,Email\nAna,ana@example.com\nBo,nobody\n';

let gala: TestGala;
let clock: FakeClock;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  clock = new FakeClock();
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const get = <T>(type: abstract new (...parameters: never[]) => T): T =>
  gala.app.get<T>(type, { strict: false });
const ref = () => ({ workspaceId: workspace.id, mode: 'live' }) as const;
const checked = () => get(RunImport).check(ref(), OPERATOR, {}, Readable.from([Buffer.from(FILE)]));
const read = async (id: string) => (await client.get(`/v1/imports/${id}`)).body;

async function kept(): Promise<Record<string, number>> {
  const tables = ['import_files', 'import_chunks', 'import_batches', 'import_rows'];
  const counts = await Promise.all(
    tables.map((table) =>
      sql<{ count: number }>(gala.databaseUrl, `SELECT count(*)::int AS count FROM ${table}`),
    ),
  );
  return Object.fromEntries(tables.map((table, index) => [table, counts[index]![0]!.count]));
}

test('files and rows are kept for 30 days, imports with their counts for good', async () => {
  const { id } = await checked();
  await get(RunImport).start(ref(), id, () => undefined);
  const open = await checked();
  clock.advance(29 * DAY);
  await get(DropImports).execute();
  expect(await kept()).toEqual({ import_files: 1, import_chunks: 1, import_batches: 2, import_rows: 2 });
  expect(await rowsOf(client, id)).toHaveLength(2);

  clock.advance(DAY + 1);
  await get(DropImports).execute();
  expect(await kept()).toEqual({ import_files: 0, import_chunks: 0, import_batches: 0, import_rows: 0 });
  expect(await read(id)).toMatchObject({ status: 'completed', created: 1, failed: 1 });
  expect(await read(open.id)).toMatchObject({ status: 'cancelled', finishedAt: expect.any(String) });
  for (const { columns, preview } of [await read(id), await read(open.id)]) {
    expect(columns.map(({ name, samples }: any) => [name, samples])).toEqual([
      ['Name', []],
      ['Email', []],
    ]);
    expect(preview).toEqual([]);
  }
  const { body } = await client.get(`/v1/imports/${id}/rows`);
  expect(body).toMatchObject({ data: [], pagination: { total: 0 } });
  const failed = await client.get(`/v1/imports/${id}/failed.csv`);
  expect(failed.text).toBe('\ufeffName,Email,Line,Problem\r\n');
});

test('an upload that broke off is dropped after a day', async () => {
  const files = get(ImportFiles);
  const id = await files.begin(ref());
  await files.append(ref(), id, 0, Buffer.from('Email\n'));
  await get(DropImports).execute();
  expect(await kept()).toMatchObject({ import_files: 1, import_chunks: 1 });
  clock.advance(DAY + 1);
  await get(DropImports).execute();
  expect(await kept()).toMatchObject({ import_files: 0, import_chunks: 0 });
  expect(await files.append(ref(), id, 1, Buffer.from('a@example.com\n'))).toBe(false);
});

describe('a step that fails', () => {
  let write: jest.SpyInstance;
  let id: string;
  beforeEach(async () => {
    ({ id } = await checked());
    await client.post(`/v1/imports/${id}/start`);
    await get(ImportLeads).execute();
    write = jest.spyOn(get(WriteLeads), 'run').mockRejectedValue(new Error('The disk is full.'));
  });
  afterEach(() => write.mockRestore());

  const step = () => get(ImportLeads).execute();

  test('is repeated later, and nothing of it stays', async () => {
    await expect(step()).rejects.toBeInstanceOf(StepFailed);
    expect(await step()).toBe(0);
    expect(await read(id)).toMatchObject({ status: 'importing', processed: 0, failure: null });
    expect(await leadsOf(client)).toEqual([]);
    write.mockRestore();
    clock.advance(1);
    expect(await step()).toBe(1);
    expect(await step()).toBe(1);
    expect(await read(id)).toMatchObject({ status: 'completed', created: 1, failed: 1 });
  });

  test('ends the import after twelve attempts, with an event', async () => {
    for (let attempt = 1; attempt <= 12; attempt++) {
      await expect(step()).rejects.toBeInstanceOf(StepFailed);
      clock.advance(300);
    }
    expect(await step()).toBe(0);
    const failure = { line: null, message: expect.stringContaining('kept coming back after 0 rows') };
    expect(await read(id)).toMatchObject({ status: 'failed', failure, finishedAt: expect.any(String) });
    const events = await allEvents(gala, workspace.id);
    expect(events.at(-1)).toMatchObject({ type: 'import.failed', data: { id, failure } });
  });
});
