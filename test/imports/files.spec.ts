import { gzipSync } from 'node:zlib';
import type { Client } from '../support/http-client';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { startGala, type TestGala } from '../support/start-gala';
import { check, importFile, leadsOf } from './support';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  gala.app.get(BackgroundJobs).start();
});
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

const ANA = { name: 'Ana Pérez', email: 'ana@example.com' };
const PLAIN = 'Name,Email\nAna Pérez,ana@example.com\nBjörn,bjoern@example.com\n';
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};
/** Windows-1252 has the same bytes as latin1, but for 0x80 to 0x9f. */
const windows1252 = (text: string) =>
  Buffer.from([...text].map((each) => ({ '€': 0x80, '’': 0x92 })[each] ?? each.charCodeAt(0)));

describe('is read', () => {
  test.each([
    ['UTF-8', PLAIN, 'utf-8'],
    ['UTF-8 with a byte order mark', `\ufeff${PLAIN}`, 'utf-8'],
    ['UTF-16LE', utf16(PLAIN), 'utf-16le'],
    ['UTF-16BE', utf16(PLAIN, true), 'utf-16be'],
    ['UTF-8 with CR alone', PLAIN.replaceAll('\n', '\r'), 'utf-8'],
    ['UTF-8 with CRLF, and no newline at the end', PLAIN.trimEnd().replaceAll('\n', '\r\n'), 'utf-8'],
  ])('%s', async (_, file, encoding) => {
    const checked = await check(client, file);
    expect(checked).toMatchObject({ status: 'ready', encoding, delimiter: ',', rows: 2, willCreate: 2 });
    expect(checked.preview.map(({ line, lead }: any) => [line, lead])).toEqual([
      [2, ANA],
      [3, { name: 'Björn', email: 'bjoern@example.com' }],
    ]);
  });

  test('windows-1252 that is named, and only then', async () => {
    const file = windows1252('Name,Email,Source\nAna Pérez,ana@example.com,Ana’s €\n');
    const unnamed = await check(client, file);
    expect(unnamed).toMatchObject({
      status: 'failed',
      failure: {
        line: 2,
        message: expect.stringMatching(/isn’t UTF-8: name its encoding, such as windows-1252/),
      },
    });
    // The file needn't be sent again.
    await client.patch(`/v1/imports/${unnamed.id}`, { encoding: 'windows-1252' });
    const named = await check(client, file, { encoding: 'windows-1252' });
    expect(named.preview[0].lead).toEqual({ ...ANA, source: 'Ana’s €' });
  });

  test.each([
    ['iso-8859-15', [0xa4], '€'],
    ['macintosh', [0xdb], '€'],
    ['windows-1250', [0x8a], 'Š'],
    ['iso-8859-2', [0xa9], 'Š'],
    ['iso-8859-1', [0xe9], 'é'],
  ])('%s', async (encoding, bytes, text) => {
    const file = Buffer.concat([Buffer.from('Email,Name\na@example.com,'), Buffer.from(bytes)]);
    expect((await check(client, file, { encoding })).preview[0].lead.name).toBe(text);
  });

  test.each([[';'], ['\t'], ['|'], [',']])('the delimiter %j', async (delimiter) => {
    const rows = [
      ['Name', 'Email', 'Source'],
      ['"Ana Pérez"', 'ana@example.com', '"fair, Madrid | 2027\t;"'],
    ];
    const file = rows.map((cells) => cells.join(delimiter)).join('\n');
    const { preview, ...checked } = await check(client, file);
    expect(checked).toMatchObject({ status: 'ready', delimiter });
    expect(preview[0].lead).toMatchObject({ ...ANA, source: expect.stringContaining('fair, Madrid') });
  });

  test('a named delimiter, though another one seems likelier', async () => {
    const file = 'Email;Name,x\na@example.com;1,2\n';
    expect((await check(client, file, { delimiter: ',' })).columns.map(({ name }) => name)).toEqual([
      'Email;Name',
      'x',
    ]);
  });

  test('newlines within quotes, and tells in which line a row begins', async () => {
    const file =
      'Email,Source\r\na@example.com,"one\r\ntwo\nthree"\r\nnobody,x\r\n\r\n,\r\nb@example.com,"""quoted"""\r\n';
    const { preview, rows } = await check(client, file);
    expect(rows).toBe(3);
    expect(preview.map(({ line, lead }: any) => [line, lead.source])).toEqual([
      [2, 'one\r\ntwo\nthree'],
      [5, 'x'],
      [8, '"quoted"'],
    ]);
  });

  test('quotation marks within a text that has none around it', async () => {
    const { preview } = await check(
      client,
      'Email,Source\na@example.com,5" table\nb@example.com,Ana "Ani" P\n',
    );
    expect(preview.map(({ lead }: any) => lead.source)).toEqual(['5" table', 'Ana "Ani" P']);
  });

  test('equal and empty headers: each column has a name of its own', async () => {
    const file = 'Email,,Email,,Email (2)\na@example.com,1,b@example.com,2,3\n';
    const { columns, preview } = await check(client, file);
    expect(columns.map(({ name, field }) => [name, field])).toEqual([
      ['Email', 'email'],
      ['Column 2', null],
      ['Email (3)', null],
      ['Column 4', null],
      ['Email (2)', null],
    ]);
    expect(preview[0].lead).toEqual({ email: 'a@example.com' });
  });

  test('one column', async () => {
    expect(await check(client, 'E-Mail-Adresse\nana@example.com\n')).toMatchObject({
      status: 'ready',
      delimiter: ',',
      willCreate: 1,
    });
  });

  test('ragged rows fail alone, since none of their cells can be trusted', async () => {
    const file = 'Name,Email\nAna,ana@example.com\nPérez,Eva,eva@example.com\nBo\nCy,cy@example.com,,\n';
    const done = await importFile(client, file);
    expect(done).toMatchObject({ rows: 4, created: 2, failed: 2, willCreate: 2, willFail: 2 });
    expect(done.problems).toEqual([
      {
        field: 'row',
        count: 1,
        lines: [3],
        message: expect.stringContaining('has 3 cells, and the header 2'),
      },
      {
        field: 'row',
        count: 1,
        lines: [4],
        message: expect.stringContaining('has 1 cells, and the header 2'),
      },
    ]);
    expect((await leadsOf(client)).map(({ name }) => name)).toEqual(['Ana', 'Cy']);
  });

  test('NUL in a cell fails its row alone', async () => {
    const done = await importFile(client, 'Name,Email\nA\0na,ana@example.com\nBo,bo@example.com\n');
    expect(done).toMatchObject({ created: 1, failed: 1 });
    expect(done.problems).toEqual([
      { field: 'name', message: 'must not contain the character U+0000', count: 1, lines: [2] },
    ]);
  });

  test('headers alone, of which nothing can be imported', async () => {
    const { id, ...checked } = await check(client, 'Name,Email\n');
    expect(checked).toMatchObject({ status: 'ready', rows: 0, willCreate: 0, preview: [] });
    expect(await client.post(`/v1/imports/${id}/start`)).toMatchObject({ status: 422 });
  });
});

describe('is refused with its line and the reason', () => {
  test.each<[string, string | Buffer, number | null, RegExp]>([
    ['an empty file', '', 1, /is empty/],
    ['data instead of headers', 'Ana,ana@example.com\nBo,bo@example.com\n', 1, /first line holds data/],
    [
      'an unclosed quotation mark',
      'Name,Email\nAna,a@example.com\n"Bo,b@example.com\nCy,c@example.com\n',
      3,
      /never closed/,
    ],
    [
      'a cell of 10 MB',
      `Name,Email\nAna,a@example.com\n${'x'.repeat(10_000_000)},b@example.com\n`,
      3,
      /longer than 256 KiB/,
    ],
    [
      'a quoted cell of 10 MB',
      `Name,Email\n"${'x'.repeat(10_000_000)}",b@example.com\n`,
      2,
      /longer than 256 KiB/,
    ],
    ['gzip', gzipSync(PLAIN), 1, /compressed by gzip/],
    ['an Excel workbook', Buffer.from('PK\x03\x04\x14\0\x06\0'), 1, /Excel workbook/],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 1, /isn’t UTF-8/],
    [
      'UTF-16 without a byte order mark',
      Buffer.from(PLAIN.replace('é', 'e').replace('ö', 'o'), 'utf16le'),
      1,
      /isn’t text, or is UTF-16/,
    ],
    [
      'half a character at the end',
      Buffer.concat([Buffer.from('Name,Email\nA,'), Buffer.from([0xc3])]),
      2,
      /isn’t UTF-8/,
    ],
    ['more than 500 columns', 'x,'.repeat(500), 1, /more than 500 columns/],
    ['headers of 70 KB', `${'x'.repeat(70_000)},Email\n`, 1, /names of the columns are longer than 64 KiB/],
  ])('%s', async (_, file, line, reason) => {
    const checked = await check(client, file);
    expect(checked).toMatchObject({ status: 'failed', startedAt: null, finishedAt: null });
    expect(checked.failure).toEqual({ line, message: expect.stringMatching(reason) });
  });

  test('a mapping of a column that the file doesn’t have', async () => {
    const mapping = [{ column: 'Mail', field: 'email' }];
    expect((await check(client, PLAIN, { mapping })).failure).toEqual({
      line: 1,
      message: 'mapping[0].column is no column of the file: its columns are Name, Email',
    });
  });
});

describe('an export of another program is mapped by its headers', () => {
  test.each<[string, string, object]>([
    [
      'HubSpot',
      'Record ID,First Name,Last Name,Email,Phone Number,Lead Status,Contact owner\n51,Ana,Pérez,ana@example.com,+34 600 123 456,,\n',
      { externalId: '51', name: 'Ana Pérez', email: 'ana@example.com', phone: '+34 600 123 456' },
    ],
    [
      'Pipedrive',
      'Person - Name,Person - Email - Work,Person - Phone - Work,Person - Labels\nAna Pérez,ana@example.com,+34600123456,"vip, garden"\n',
      { name: 'Ana Pérez', email: 'ana@example.com', phone: '+34600123456', tags: ['vip', 'garden'] },
    ],
    [
      'Google Contacts',
      'First Name,Middle Name,Last Name,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value\nAna,,Pérez,* myContacts,* Work,ana@example.com,Mobile,+34600123456\n',
      { name: 'Ana Pérez', email: 'ana@example.com', phone: '+34600123456', tags: ['* myContacts'] },
    ],
    [
      'Excel in German',
      'Nachname;Vorname;E-Mail;Telefon;Veranstaltungsdatum;Anzahl Gäste;Quelle\r\nPérez;Ana;ana@example.com;0034600123456;12.06.2027;120;Messe\r\n',
      {
        ...{ name: 'Ana Pérez', email: 'ana@example.com', phone: '+34600123456' },
        ...{ eventDate: '2027-06-12', guests: 120, source: 'Messe' },
      },
    ],
    [
      'Excel in German, whose “Name” is the last name',
      'Name;Vorname;E-Mail\r\nPérez;Ana;ana@example.com\r\n',
      { name: 'Ana Pérez', email: 'ana@example.com' },
    ],
    [
      'Excel in French',
      "Prénom;Nom;Adresse e-mail;Téléphone;Date de l'événement;Nombre d'invités\r\nAna;Pérez;ana@example.com;+33 6 12 34 56 78;25/06/2027;80\r\n",
      {
        ...{ name: 'Ana Pérez', email: 'ana@example.com', phone: '+33 6 12 34 56 78' },
        ...{ eventDate: '2027-06-25', guests: 80 },
      },
    ],
    [
      'Spanish headers',
      'Nombre;Apellidos;Correo electrónico;Móvil;Fecha del evento;Invitados;Etiquetas\nAna;Pérez;ana@example.com;+34600123456;2027-06-25;80;vip\n',
      {
        ...{ name: 'Ana Pérez', email: 'ana@example.com', phone: '+34600123456' },
        ...{ eventDate: '2027-06-25', guests: 80, tags: ['vip'] },
      },
    ],
  ])('%s', async (_, file, lead) => {
    const checked = await check(client, file);
    expect(checked).toMatchObject({ status: 'ready', willCreate: 1, ambiguous: [] });
    expect(checked.preview[0].lead).toEqual(lead);
  });

  test('our own, which brings the same leads again', async () => {
    const leads = [
      {
        email: 'ana@example.com',
        name: '=HYPERLINK("x")',
        phone: '+34600123456',
        tags: ['a; b', 'c"d', '-1'],
      },
      { email: 'bo@example.com', name: "'=1", source: '@fair', eventDate: '2027-06-12', guests: 20 },
    ];
    const header =
      'id,name,email,phone,eventDate,guests,source,stage,tags,ownerId,archivedAt,createdAt,updatedAt';
    const file = `\ufeff${header}\r
lead_01h455vb4pex5vsknk084sn02q,"'=HYPERLINK(""x"")",ana@example.com,+34600123456,,,,new_enquiry,"""a; b""; ""c""""d""; -1",,,2027-01-15T09:30:00.000Z,\r
lead_01h455vb4pex5vsknk084sn02r,''=1,bo@example.com,,2027-06-12,20,'@fair,contacted,,,,2027-01-15T09:30:00.000Z,\r
`;
    expect(await importFile(client, file)).toMatchObject({ created: 2, failed: 0 });
    expect(await leadsOf(client)).toMatchObject([leads[0], { ...leads[1], stage: 'contacted' }]);
  });
});
