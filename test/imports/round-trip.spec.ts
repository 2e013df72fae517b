import { newId } from '../../src/kernel/ids';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { addReason } from '../support/stages';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { importFile, leadsOf } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  gala.app.get(BackgroundJobs).start();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const exported = async () => (await client.get('/v1/exports/leads?archived=all')).text;

test('an export of our own that is imported again changes nothing, and creates the same leads elsewhere', async () => {
  const { id: lostReasonId } = await addReason(client, 'Over budget');
  const [owner] = (await client.get('/v1/members')).body.data;
  const leads = [
    { name: '=HYPERLINK("x")', phone: '+34600123456', tags: ['a; b', 'c"d', '-1', "'=1"], ownerId: owner.id },
    { name: "'=1", source: '@fair', eventDate: '2027-06-12', guests: 20, stage: 'contacted' },
    { name: '  two\r\nlines\n', source: '\ttab', stage: 'lost', lostReasonId, lostNote: '-too, far;"' },
    { name: '+34 600', source: '٣ 😀', externalId: '=crm-9' },
  ];
  for (const [index, lead] of leads.entries()) {
    await createLead(client, {
      externalId: `crm-${index}`,
      ...lead,
      email: `guest${index}@example.com`,
      phone: lead.phone ?? null,
    });
  }
  const before = await leadsOf(client);
  const file = await exported();
  for (const onEmpty of ['keep', 'clear']) {
    const done = await importFile(client, file, { matchBy: 'externalId', onEmpty });
    expect(done).toMatchObject({ unchanged: leads.length, updated: 0, created: 0, failed: 0 });
  }
  expect(await exported()).toBe(file);

  const other = await workspace.client('test');
  // Lost reasons belong to a mode.
  const mapping = [
    'name',
    'email',
    'phone',
    'eventDate',
    'guests',
    'source',
    'stage',
    'tags',
    'ownerId',
    'externalId',
    'lostNote',
  ];
  const columns = mapping.map((field) => ({ column: field, field }));
  expect(await importFile(other, file, { mapping: columns })).toMatchObject({
    created: leads.length,
    failed: 0,
  });
  const same = (lead: any) => mapping.map((field) => lead[field]);
  const byEmail = (lists: any[]) => lists.map(same).sort(([, one], [, two]) => one.localeCompare(two));
  expect(byEmail(await leadsOf(other))).toEqual(byEmail(before));
});

test('the rows that failed, corrected, bring the rest in', async () => {
  const other = await (await gala.createWorkspace()).client();
  const cells = `"=1; ""x""",nobody,"line one\nline two",${newId('lead')}`;
  const file = `Name,Email,Source,Owner\nAna,ana@example.com,fair,\n${cells}\n`;
  const { id } = await importFile(other, file);
  const failed = (await other.get(`/v1/imports/${id}/failed.csv`)).text;
  expect(failed).toContain('\'=1; ""x""",nobody,');
  const corrected = failed.replace('nobody', 'bo@example.com').replace(/lead_\w{26}/, '');
  expect(await importFile(other, corrected)).toMatchObject({ rows: 1, created: 1, failed: 0 });
  expect(await leadsOf(other)).toMatchObject([
    { name: 'Ana' },
    { name: '=1; "x"', email: 'bo@example.com', source: 'line one\nline two' },
  ]);
});
