import { newApp } from '../oauth/support';
import { sent } from '../proposals/support';
import { walkChanges } from '../support/change-feed';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectForbidden } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { eventually } from '../support/until';

const READ = 'events:read';

let gala: TestGala;
let workspace: TestWorkspace;
/** A key that may do everything. */
let full: Client;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  full = await workspace.client('test');
});

const clientWith = (...scopes: string[]) => workspace.client('test', scopes);
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

test('the feed needs events:read', async () => {
  const refused = await (await clientWith('leads:read', 'webhooks:write')).get('/v1/changes');
  expectForbidden(refused);
  expect(refused.headers['www-authenticate']).toContain(`scope="${READ}"`);
});

test('and each type the scope that reads it', async () => {
  const proposal = await sent(full);
  const seenBy = async (...scopes: string[]) => {
    const { changes } = await walkChanges(await clientWith(READ, ...scopes));
    return [...new Set(changes.map(({ type }) => type.split('.')[0]))].sort();
  };
  expect(proposal.id).toBeDefined();
  await eventually(async () =>
    expect(await seenBy('leads:read', 'proposals:read')).toEqual(['lead', 'proposal']),
  );
  expect(await seenBy('leads:read')).toEqual(['lead']);
  expect(await seenBy()).toEqual([]);
  expect(await seenBy('webhooks:write')).toEqual(['api_key']);
});

test('a type that the key may not read is a 403 that names the scope', async () => {
  const narrow = await clientWith(READ, 'leads:read');
  for (const types of ['proposal.*', 'proposal.sent', 'lead.*,proposal.sent']) {
    const refused = await narrow.get(`/v1/changes?types=${types}`);
    expectForbidden(refused);
    expect(refused.headers['www-authenticate']).toContain('scope="proposals:read"');
  }
  const { id: lead } = await createLead(full);
  await eventually(async () =>
    expect((await walkChanges(narrow, { types: '*' })).changes.map(({ data }) => data.id)).toEqual([lead]),
  );
});

test('the link that accepts a proposal is null without proposals:write', async () => {
  await sent(full);
  const linksFor = async (...scopes: string[]) => {
    const { changes } = await walkChanges(await clientWith(READ, 'proposals:read', ...scopes));
    const ofSent = changes.filter(({ type }) => type === 'proposal.sent');
    return ofSent.map(({ data }) => data.publicUrl);
  };
  await eventually(async () =>
    expect(await linksFor('proposals:write')).toEqual([expect.stringContaining('http')]),
  );
  expect(await linksFor()).toEqual([null]);
});

test('an app sees no test of endpoints that others made', async () => {
  const app = await newApp(gala, { scopes: [READ, 'webhooks:write'] });
  const reader = app.as(await app.install({ scope: `${READ} webhooks:write` }));
  const mine = await reader.post('/v1/webhooks', { url: 'https://example.com/mine', events: ['*'] });
  await reader.post(`/v1/webhooks/${mine.body.id}/test`);
  const tests = `FROM events WHERE type = 'webhook.test' AND data->>'id' = '${mine.body.id}'`;
  await sql(
    gala.databaseUrl,
    `INSERT INTO events (workspace_id, mode, id, type, occurred_at, data)
     SELECT workspace_id, mode, gen_random_uuid(), type, occurred_at, data ${tests}`,
  );
  const listed = (await reader.get('/v1/events?type=webhook.test')).body.data;
  expect(await sql(gala.databaseUrl, `SELECT id ${tests}`)).toHaveLength(2 * listed.length);
  await eventually(async () => {
    const { changes } = await walkChanges(reader, { types: 'webhook.test' });
    expect(idsOf(changes)).toEqual(idsOf(listed.toReversed()));
  });
});
