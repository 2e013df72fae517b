import { ScopeRegistry } from '../../src/kernel/scope-registry';
import { makeKey } from '../support/api-keys';
import { browserOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());

test('permissions are told in a few words, which unfold to the whole list', async () => {
  const workspace = await gala.createWorkspace();
  const all = gala.app.get(ScopeRegistry, { strict: false }).names();
  const client = await workspace.client('live', all);
  const { view } = await makeKey(client, {
    name: 'Website',
    scopes: ['leads:read', 'leads:write', 'calendar:read'],
  });
  const owner = await browserOf(gala, 'owner@example.com');
  const path = `/settings/${workspace.id}/live/api-keys`;
  const summaries = async (page: string) =>
    [...(await owner.get(page)).text.matchAll(/<details class="scopes"><summary>([^<]*)</g)].map(
      ([, text]) => text,
    );
  expect(new Set(await summaries(path))).toEqual(new Set(['Full access', 'Leads: read, write · +1']));
  expect(await summaries(`${path}/${view.id}`)).toEqual(['Leads: read, write · +1']);
  const { text } = await owner.get(`${path}/${view.id}`);
  expect(text).toContain('<code>calendar:read</code>');
  expect(text).toContain('See your leads: names, emails, phones, event details');
});
