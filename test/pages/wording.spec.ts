import { plan } from '../support/calendar';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const OWNER = 'owner@example.com';

let gala: TestGala;
let workspace: TestWorkspace;
let owner: PageClient;
let settings: string;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  owner = await browserOf(gala, OWNER);
  settings = `/settings/${workspace.id}`;
});
afterAll(() => gala.stop());

test('a key needs at least one permission', async () => {
  const path = `${settings}/test/api-keys`;
  const refused = await owner.submit(path, { name: 'Website form' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('>Choose at least one permission.<');
  expect((await owner.get(path)).text).not.toContain('Website form');
});

test('a problem that is a sentence stands alone, without the label of its field', async () => {
  const [, user] = /members\/(user_\w+)\/role/.exec((await owner.get(`${settings}/members`)).text)!;
  const refused = await owner.submit(`${settings}/members/${user}/role`, { role: 'member' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('>A workspace needs at least one owner. Make someone else an owner first.<');
});

test('dates are written as in the workspace’s locale', async () => {
  const german = { name: 'Gartensaal', timeZone: 'Europe/Berlin', currency: 'EUR', locale: 'de-DE' };
  await owner.submit(`${settings}/workspace`, german);
  await plan(await workspace.client('test'), { startsAt: '2027-03-01', endsAt: '2027-03-02' });
  const { text } = await owner.get(`${settings}/test/calendar?month=2027-03`);
  expect(text).toContain('<h2>März 2027</h2>');
  expect(text).toContain('<abbr title="Montag">Mo</abbr>');
  expect((await owner.get(`${settings}/audit-log`)).text).toMatch(
    /<time [^>]*>\d{1,2}\. \p{L}+\.?( \d{4})?, \d\d:\d\d<\/time>/u,
  );
});
