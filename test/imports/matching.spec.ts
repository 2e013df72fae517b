import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';
import { check, importFile, leadsOf, start } from './support';

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

test('leads are found by email as an upsert finds them, and keep what the row leaves empty', async () => {
  const ana = await createLead(client, {
    name: 'Ana',
    email: 'ana@example.com',
    guests: 5,
    source: 'website',
  });
  const options = { matchBy: 'email', defaults: { source: 'fair' } };
  const checked = await check(
    client,
    'Email,Guests\nana@example.com,\nbo@example.com,1\nBO@example.com,2\n',
    options,
  );
  expect(checked).toMatchObject({ willCreate: 1, willUpdate: 2 });
  expect(await start(client, checked.id)).toMatchObject({ created: 1, updated: 1, unchanged: 1, failed: 0 });
  expect(await leadsOf(client)).toMatchObject([
    { id: ana.id, email: 'ana@example.com', guests: 5, source: 'website' },
    { guests: 2, source: 'fair' },
  ]);
});

test('an empty cell clears a field where that was asked for', async () => {
  await createLead(client, { email: 'ana@example.com', guests: 5, name: 'Ana' });
  await importFile(client, 'Email,Guests\nana@example.com,\n', { matchBy: 'email', onEmpty: 'clear' });
  expect(await leadsOf(client)).toMatchObject([{ guests: null, name: 'Ana' }]);
});

test('a new lead has the defaults for all its empty cells, whatever these do to others', async () => {
  const defaults = { tags: ['fair'], phone: '+34 600 123 456', guests: 3, name: null, source: null };
  const file = 'Email,Guests,Tags,Source\nana@example.com,,,\n';
  await importFile(client, file, { matchBy: 'email', onEmpty: 'clear', defaults });
  expect(await leadsOf(client)).toMatchObject([
    { guests: 3, tags: ['fair'], phone: '+34600123456', name: null, source: null },
  ]);
});

test.each([
  ['phone', 'phone,email\n0034 600 123 456,new@example.com\n,x@example.com\n'],
  ['externalId', 'externalId,email\nA-1,new@example.com\n,x@example.com\n'],
])('leads are found by %s, and a row without it fails', async (matchBy, file) => {
  await createLead(client, { email: 'ana@example.com', phone: '+34600123456', externalId: 'A-1' });
  const checked = await check(client, file, { matchBy });
  expect(checked).toMatchObject({ willCreate: 0, willUpdate: 1, willFail: 1 });
  expect(await start(client, checked.id)).toMatchObject({ updated: 1, failed: 1 });
  expect(await leadsOf(client)).toMatchObject([{ email: 'new@example.com' }]);
});

test('several leads that match are refused, or the newest is changed', async () => {
  for (const name of ['Old', 'New']) await createLead(client, { name, email: 'ana@example.com' });
  const file = 'Email,Guests\nana@example.com,7\nbo@example.com,1\n';
  const refused = await check(client, file, { matchBy: 'email' });
  expect(refused).toMatchObject({ willUpdate: 0, willFail: 1, problems: [{ field: 'matchBy' }] });
  expect(await start(client, refused.id)).toMatchObject({ failed: 1, created: 1 });
  await importFile(client, file, { matchBy: 'email', onMultiple: 'newest' });
  expect((await leadsOf(client)).map(({ name, guests }) => [name, guests])).toEqual([
    ['Old', null],
    ['New', 7],
    [null, 1],
  ]);
});
