import { loyalty } from '../../examples/loyalty/src/loyalty';
import { createDataSource } from '../../ormconfig';
import { migrate } from '../../src/platform/persistence/migrate';
import { createDatabase } from '../support/database';
import { browserOf, newEmail } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf } from '../workspaces/people';

const FOR_MEMBERS = [
  'Overview',
  'Sales',
  'Leads',
  'Pipeline',
  'Proposals',
  'Calendar',
  'Tasks',
  'Figures',
  'Files',
  'Loyalty',
  'Workspace',
  'General',
  'Members',
];
const FOR_ADMINS = [
  'Overview',
  'Sales',
  'Leads',
  'Pipeline',
  'Proposals',
  'Calendar',
  'Tasks',
  'Figures',
  'Stages',
  'Assignment',
  'Fields',
  'Import',
  'Files',
  'Response target',
  'Loyalty',
  'Integrations',
  'API keys',
  'Webhooks',
  'Request log',
  'Installed apps',
  'Channels',
  'Workspace',
  'General',
  'Brand',
  'Members',
  'Audit log',
  'Venue',
  'Tills',
  'Loyalty settings',
];

const extensions = [loyalty];
let database: Awaited<ReturnType<typeof createDatabase>>;
let gala: TestGala;
let workspace: TestWorkspace;
beforeAll(async () => {
  database = await createDatabase();
  const { url } = database;
  await migrate(url, [() => createDataSource({ url, extensions, poolSize: 1 })]);
  gala = await startGala({ databaseUrl: url, extensions });
  workspace = await gala.createWorkspace();
});
afterAll(async () => {
  await gala.stop();
  await database.drop();
});

/** The headings and links of a page's navigation, and the address of the link that is marked as the current page. */
function navigationOf(text: string) {
  const [nav] = /<nav aria-label="Settings".*?<\/nav>/s.exec(text)!;
  const entries = [...nav.matchAll(/<(p class="nav-title"|a [^>]*)>([^<]*)</g)].map(([, tag, label]) => ({
    label: label!,
    to: /href="([^"]*)"/.exec(tag!)?.[1],
    isCurrent: tag!.includes('aria-current="page"'),
  }));
  return {
    labels: entries.map(({ label }) => label),
    links: entries.flatMap(({ to }) => to ?? []),
    current: entries.filter(({ isCurrent }) => isCurrent).map(({ to }) => to),
  };
}

test.each([
  ['member', FOR_MEMBERS],
  ['admin', FOR_ADMINS],
] as const)('the navigation shows a %s the pages of every module in order', async (role, labels) => {
  const email = newEmail();
  await memberOf(gala, workspace.id, email, role);
  const { text } = await (await browserOf(gala, email)).get(`/settings/${workspace.id}`);
  expect(navigationOf(text).labels).toEqual(labels);
});

test.each(['live', 'test'])('every page marks its own link in %s mode', async (mode) => {
  const owner = await browserOf(gala, 'owner@example.com');
  const { text } = await owner.get(`/settings/${workspace.id}/${mode}/pipeline`);
  const { links } = navigationOf(text);
  expect(links).toContain(`/settings/${workspace.id}/${mode}/api-keys`);
  for (const link of links) expect(navigationOf((await owner.get(link)).text).current).toEqual([link]);
});
