import type { WorkspaceId } from '../../src/kernel/ids';
import { CreateApiKey } from '../../src/modules/api-keys';
import { auditRecords } from '../audit-log/records';
import { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf, newEmail, workspaceOf } from '../support/people';
import { addReason, addStage, emptyArchivedStages, stageOf, stagesOf } from '../support/stages';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let browser: PageClient;
let workspace: WorkspaceId;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  const email = newEmail();
  workspace = await workspaceOf(gala, email);
  browser = await browserOf(gala, email);
});
afterAll(() => gala.stop());

const path = (mode = 'live') => `/settings/${workspace}/${mode}/stages`;
const submit = (action: string, fields: Record<string, string | string[]> = {}, mode = 'live') =>
  browser.submit(`${path(mode)}${action}`, fields, { on: path(mode) });
const clientOf = async (mode: 'live' | 'test' = 'live') => {
  const scopes = ['leads:read', 'leads:write', 'schema:write'];
  const input = { name: 'Key', scopes, expiresAt: null };
  const createApiKey = gala.app.get(CreateApiKey, { strict: false });
  return new Client(
    gala.baseUrl,
    (await createApiKey.byOperator({ workspaceId: workspace, mode }, input)).token,
  );
};
const keys = async (mode: 'live' | 'test' = 'live') =>
  (await stagesOf(await clientOf(mode))).map(({ key }) => key);

test('a stage is added with a key made of its name, changed, archived and restored', async () => {
  const client = await clientOf();
  expect(outcome(await submit('', { name: 'Tasting à la carte', outcome: 'open' }))).toBe(
    `303 ${path()}?notice=added`,
  );
  const rules = {
    name: 'Tasting',
    outcome: 'open',
    maxDays: '14',
    isHidden: 'yes',
    allowedFrom: ['visit_booked', 'lost'],
    requiredFields: ['guests', 'nonsense'],
  };
  expect(outcome(await submit('/tasting_a_la_carte/edit', rules))).toBe(`303 ${path()}?notice=saved`);
  expect(await stageOf(client, 'tasting_a_la_carte')).toMatchObject({
    name: 'Tasting',
    maxDays: 14,
    isHidden: true,
    allowedFrom: ['visit_booked', 'lost'],
    requiredFields: ['guests'],
  });
  const shown = await browser.get(`${path()}/tasting_a_la_carte/edit`);
  expect(shown.text).toMatch(/value="visit_booked"[^>]*checked/);
  expect(outcome(await submit('/tasting_a_la_carte/archive'))).toBe(`303 ${path()}?notice=archived`);
  expect((await browser.get(path())).text).toContain('Archived stages');
  expect(outcome(await submit('/tasting_a_la_carte/restore'))).toBe(`303 ${path()}?notice=restored`);
  expect((await stageOf(client, 'tasting_a_la_carte')).archivedAt).toBeNull();
  const records = JSON.stringify(await auditRecords(gala, workspace));
  for (const words of [
    'Created the stage',
    'Changed the stage',
    'Archived the stage',
    'Restored the stage',
  ]) {
    expect(records).toContain(words);
  }
});

test('a new name leaves the rules as they are, also where the page doesn’t show them', async () => {
  const client = await clientOf();
  await addStage(client, 'gone');
  await addStage(client, 'tasting');
  await client.post('/v1/stages/gone/archive');
  for (const [allowedFrom, chosen, after] of [
    [[], [], []],
    [['gone', 'tasting', 'lost', 'contacted'], ['contacted', 'lost'], undefined],
    [['gone', 'lost'], ['contacted'], ['gone', 'contacted']],
    [null, ['*'], null],
    [['lost'], ['*', 'lost'], null],
  ]) {
    await client.patch('/v1/stages/tasting', { allowedFrom });
    const { text } = await browser.get(`${path()}/tasting/edit`);
    expect(/value="\*"[^>]*checked/.test(text)).toBe(allowedFrom === null);
    const form = { name: 'Menu', outcome: 'open', allowedFrom: chosen! };
    expect(outcome(await submit('/tasting/edit', form))).toBe(`303 ${path()}?notice=saved`);
    expect(await stageOf(client, 'tasting')).toMatchObject({
      name: 'Menu',
      allowedFrom: after === undefined ? allowedFrom : after,
    });
  }
});

test('leads of an archived stage go where the admin says', async () => {
  const client = await clientOf();
  await addStage(client, 'tasting');
  const lead = await createLead(client, { stage: 'tasting' });
  const refused = await submit('/tasting/archive');
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('1 lead is at this stage');
  expect(outcome(await submit('/tasting/archive', { moveTo: 'negotiation' }))).toBe(
    `303 ${path()}?notice=archived`,
  );
  expect((await browser.get(path())).text).toContain('1 left to move to');
  await emptyArchivedStages(gala);
  expect((await client.get(`/v1/leads/${lead.id}`)).body.stage).toBe('negotiation');
});

test.each(['archive', 'restore'])('there is no stage with a control character to %s', async (action) => {
  expect((await submit(`/tasting%00/${action}`)).status).toBe(404);
});

test('buttons move stages up and down, from the order that the page showed', async () => {
  const before = await keys();
  expect(outcome(await submit('/order', { keys: before, up: 'contacted' }))).toBe(
    `303 ${path()}?notice=reordered`,
  );
  expect((await keys()).slice(0, 3)).toEqual(['contacted', 'new_enquiry', 'visit_booked']);
  await submit('/order', { keys: await keys(), down: 'contacted' });
  expect(await keys()).toEqual(before);
  await submit('/order', { keys: before.toReversed() });
  expect(await keys()).toEqual(before.toReversed());
  const stale = await submit('/order', { keys: before.slice(1), up: 'lost' });
  expect(stale.status).toBe(422);
  expect(stale.text).toContain('There’s a problem with this form');
});

test.each([
  ['', { name: '', outcome: 'open' }],
  ['', { name: 'Tasting', key: 'Tasting', outcome: 'open' }],
  ['', { name: 'Again', key: 'lost', outcome: 'open' }],
  ['', { name: 'Tasting', outcome: 'maybe' }],
  ['/contacted/edit', { name: '' }],
  ['/contacted/edit', { name: 'Contacted', maxDays: '0' }],
  ['/automations', { visitBooked: 'lost', proposalSent: 'contacted', proposalAccepted: 'confirmed' }],
])('the form %s is shown again with the problem: %j', async (action, fields) => {
  const before = await stagesOf(await clientOf());
  const answer = await submit(action, fields);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('There’s a problem with this form');
  expect(await stagesOf(await clientOf())).toEqual(before);
});

test('automations and lost reasons are managed here, too', async () => {
  const client = await clientOf();
  const choices = { visitBooked: 'contacted', proposalSent: 'negotiation', proposalAccepted: 'completed' };
  expect(outcome(await submit('/automations', choices))).toBe(`303 ${path()}?notice=saved`);
  expect((await client.get('/v1/automations')).body).toEqual(choices);
  const reasons = path().replace('stages', 'lost-reasons');
  const send = (action: string, fields = {}) => browser.submit(`${reasons}${action}`, fields, { on: path() });
  expect(outcome(await send('', { name: 'Over budget' }))).toBe(`303 ${path()}?notice=reason-added`);
  expect((await send('', { name: 'over BUDGET' })).status).toBe(422);
  const [reason] = (await client.get('/v1/lost-reasons')).body.data;
  await send(`/${reason.id}`, { name: 'Too dear' });
  expect((await browser.get(path())).text).toContain('Too dear');
  await send(`/${reason.id}/archive`);
  expect((await client.get('/v1/lost-reasons')).body.data).toEqual([]);
  await send(`/${reason.id}/restore`);
  expect((await client.get('/v1/lost-reasons')).body.data).toHaveLength(1);
});

describe('copying from the sandbox to live', () => {
  test('gives live data the stages, rules, order, automations and reasons', async () => {
    const [test, live] = [await clientOf('test'), await clientOf()];
    await addStage(test, 'tasting', {
      allowedFrom: ['deposit', 'contacted'].slice(1),
      requiredFields: ['guests'],
    });
    await addStage(test, 'deposit', { outcome: 'won', allowedFrom: ['tasting'] });
    await test.patch('/v1/stages/contacted', { name: 'Called', isHidden: true });
    await test.patch('/v1/automations', { visitBooked: 'tasting' });
    await test.request('PUT', '/v1/stages/order', { keys: (await keys('test')).toReversed() });
    await addReason(test, 'Over budget');
    await addReason(live, 'OVER BUDGET');
    await addReason(test, 'No answer');
    await addStage(live, 'mine');
    await addStage(live, 'deposit', { outcome: 'won' });
    await live.post('/v1/stages/deposit/archive');
    expect(outcome(await submit('/copy'))).toBe(`303 ${path()}?notice=copied`);
    const copied = await stagesOf(live);
    const source = await stagesOf(test);
    expect(copied.map(({ key }) => key)).toEqual([...source.map(({ key }) => key), 'mine']);
    expect(copied.slice(0, -1)).toEqual(source);
    expect((await live.get('/v1/automations')).body.visitBooked).toBe('tasting');
    const names = (await live.get('/v1/lost-reasons')).body.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['No answer', 'OVER BUDGET']);
    // A second time, it changes nothing.
    expect(outcome(await submit('/copy'))).toBe(`303 ${path()}?notice=copied`);
    expect(await stagesOf(live)).toEqual(copied);
  });

  test('refuses another outcome, and then changes nothing', async () => {
    const [test, live] = [await clientOf('test'), await clientOf()];
    await addStage(test, 'new_one');
    await addStage(test, 'deposit', { outcome: 'won' });
    await addStage(live, 'deposit', { outcome: 'open' });
    const before = await stagesOf(live);
    const answer = await submit('/copy');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('deposit');
    expect(await stagesOf(live)).toEqual(before);
  });
});

test('the pipeline page shows the stages of the workspace', async () => {
  const client = await clientOf();
  await addStage(client, 'tasting', { name: 'Menu tasting' });
  await client.patch('/v1/stages/contacted', { isHidden: true });
  await client.patch('/v1/stages/negotiation', { name: 'Talks' });
  await createLead(client, { stage: 'tasting' });
  const { text } = await browser.get(`/settings/${workspace}/live/pipeline`);
  expect(text).toContain('Menu tasting');
  expect(text).toContain('Talks');
  expect(text).not.toContain('Contacted');
  await createLead(client, { stage: 'contacted' });
  expect((await browser.get(`/settings/${workspace}/live/pipeline`)).text).toContain('Contacted');
});
