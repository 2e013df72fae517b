import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmptyDatabase } from '../support/empty-database';
import { build, type Finished, WorkingDirectory } from '../support/gala-process';
import { fileNeeds } from '../support/requirements';
import { sql } from '../support/sql';

fileNeeds('python3');
jest.setTimeout(120_000);

const ROOT = join(__dirname, '../..');
/** Runs a command in a terminal of its own. */
const IN_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let directory: WorkingDirectory;
let workspace: string;
beforeAll(async () => {
  build();
  database = await createEmptyDatabase();
  directory = new WorkingDirectory();
  const owner = ['--name', 'Hall', '--owner-email', 'ana@example.com'];
  const made = await run('workspace', 'create', ...owner, '--json');
  workspace = JSON.parse(made.stdout).id;
}, 120_000);
afterAll(async () => {
  await directory.clear();
  await database.drop();
});

const env = () => ({ DATABASE_URL: database.url });
const run = (...args: string[]): Promise<Finished> => directory.run(args, { env: env() });
const importLeads = (file: string, ...args: string[]) => run(...commandFor(file), ...args);

function commandFor(file: string): string[] {
  return ['import', 'leads', file, '--workspace', workspace, '--mode', 'live'];
}

function fileWith(name: string, text: string): string {
  writeFileSync(join(directory.path, name), text);
  return name;
}

const leads = () =>
  sql<{ email: string }>(
    database.url,
    'SELECT email, name, event_date, guests FROM leads ORDER BY created_at, id',
  );
const statuses = () =>
  sql<{ status: string }>(database.url, 'SELECT status FROM imports ORDER BY created_at');

test('leads are imported, and the rows that failed written to a file', async () => {
  const file = fileWith(
    'leads.csv',
    'Nombre;Correo;Fecha;Size\nAna;ana@example.com;12/06/2027;9\nBo;nobody;13/06/2027;9\n',
  );
  const options = ['--map', 'Nombre=name', '--map', 'Correo=email', '--map', 'Fecha=eventDate'];
  const more = ['--default', 'guests=40', '--match-by', 'email', '--failed', 'failed.csv'];
  const done = await importLeads(file, ...options, ...more);
  expect(done).toMatchObject({ code: 1, stderr: '' });
  expect(done.stdout).toMatch(
    /^Import imp_\w{26}: 1 created, 0 updated, 0 unchanged, 1 failed\.\n {2}1 × email must be .* \(line 3\)\nThe rows that failed are in failed\.csv\.\n$/,
  );
  expect(await leads()).toEqual([
    { email: 'ana@example.com', name: 'Ana', event_date: '2027-06-12', guests: 40 },
  ]);
  expect(readFileSync(join(directory.path, 'failed.csv'), 'utf8')).toMatch(
    /^\ufeffNombre,Correo,Fecha,Size,Line,Problem\r\nBo,nobody,13\/06\/2027,9,3,email: /,
  );
});

test('a program gets JSON and nothing else, and a dry run imports nothing', async () => {
  const file = fileWith('more.csv', 'Email\nbo@example.com\ncy@example.com\n');
  const before = await leads();
  const dry = await importLeads(file, '--dry-run', '--json');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(dry.stdout)).toMatchObject({ status: 'ready', willCreate: 2, processed: 0 });
  expect(await leads()).toEqual(before);
  const text = await importLeads(file, '--dry-run');
  expect(text.stdout).toBe('2 rows: 2 to create, 0 to update, 0 with problems.\n');
  const done = await importLeads(file, '--json');
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(done.stdout)).toMatchObject({ status: 'completed', created: 2, failed: 0 });
  expect(await leads()).toHaveLength(before.length + 2);
});

test.each([
  ['', 0, /Checking the file …[^]*0 of 1200 rows[^]*500 of 1200 rows[^]*1200 created/],
  ['--json', 0, /^\{[^]*"created": 1200[^]*\}\s*$/],
])('in a terminal with %j', async (option, code, output) => {
  const rows = Array.from({ length: 1200 }, (_, index) => `Guest ${index},guest${index}@example.com\n`);
  const file = fileWith('many.csv', `Name,Email\n${rows.join('')}`);
  const command = [
    process.execPath,
    join(ROOT, 'bin/gala.js'),
    ...commandFor(file),
    ...(option ? [option] : []),
  ];
  const environment = { ...env(), PATH: process.env.PATH!, HOME: process.env.HOME! };
  const finished = await directory.spawn('python3', ['-c', IN_TERMINAL, ...command], { env: environment })
    .finished;
  expect(finished.code).toBe(code);
  expect(finished.stdout).toMatch(output);
});

test.each<[string, string[], RegExp]>([
  ['a file that isn’t there', ['nowhere.csv'], /'nowhere\.csv'[^]*can’t be read: ENOENT/],
  ['a folder', ['.'], /It is a folder/],
  [
    'a workspace that isn’t there',
    ['a.csv', '--workspace', 'ws_01h455vb4pex5vsknk084sn02q'],
    /No such workspace/,
  ],
  [
    'a field that isn’t there',
    ['a.csv', '--map', 'Email=shoe'],
    /mapping\[0\]\.field: must be one of externalId, name/,
  ],
  ['half an option', ['a.csv', '--map', 'Email'], /must have the form name=value/],
  ['dates of two meanings', ['dates.csv'], /dateFormat: must be given: the dates of the column “Date”/],
])('%s is refused with the reason, and leaves no import open', async (_, [file, ...more], reason) => {
  fileWith('a.csv', 'Email\na@example.com\n');
  fileWith('dates.csv', 'Email,Date\na@example.com,05/06/2027\n');
  const before = await leads();
  const finished = await importLeads(file!, ...more);
  expect(finished).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(reason) });
  expect(await leads()).toEqual(before);
  expect((await statuses()).filter(({ status }) => !['completed', 'cancelled'].includes(status))).toEqual([]);
});

test('a file that can’t be read is told with its line', async () => {
  const finished = await importLeads(fileWith('open.csv', 'Email\n"a@example.com\n'));
  expect(finished).toMatchObject({
    code: 1,
    stdout: 'Line 2: a quotation mark is opened in this row and never closed.\n',
  });
});
