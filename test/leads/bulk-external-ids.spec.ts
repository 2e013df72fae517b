import type { Answer, Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { giveEachTestAWorkspace } from '../support/own-workspaces';

let client: Client;
giveEachTestAWorkspace((given) => ({ client } = given));

const bulk = (operation: string, items: object[], options: object = {}): Promise<Answer> =>
  client.post('/v1/leads/bulk', { operation, items, ...options });
const externalIds = async (...leads: LeadBody[]) => {
  const found = await Promise.all(leads.map(({ id }) => client.get(`/v1/leads/${id}`)));
  return found.map(({ body }) => body.externalId as string | null);
};

test('leads exchange their external ids, in any order', async () => {
  const ana = await createLead(client, { externalId: 'one' });
  const eva = await createLead(client, { externalId: 'two' });
  for (const [first, second] of [
    [ana, eva],
    [eva, ana],
  ] as const) {
    const [own, other] = await externalIds(first, second);
    const answer = await bulk(
      'update',
      [
        { id: first.id, externalId: 'between' },
        { id: second.id, externalId: own },
        { id: first.id, externalId: other },
      ],
      { atomic: true },
    );
    expect(answer).toMatchObject({ status: 200, body: { updated: 3, failed: 0 } });
    expect(await externalIds(first, second)).toEqual([other, own]);
  }
});

test('a lead takes the external id that a later one of the batch has given up, and a new lead does', async () => {
  const ana = await createLead(client, { externalId: 'one' });
  const eva = await createLead(client, { email: 'eva@example.com' });
  const answer = await bulk('update', [
    { id: eva.id, name: 'Eva' },
    { id: ana.id, externalId: null },
    { id: eva.id, externalId: 'one' },
  ]);
  expect(answer).toMatchObject({ status: 200, body: { updated: 3, failed: 0 } });
  expect(await externalIds(ana, eva)).toEqual([null, 'one']);
  const items = [
    { externalId: 'new', email: 'eva@example.com' },
    { externalId: 'one', email: 'cleo@example.com' },
  ];
  expect(await bulk('upsert', items, { matchBy: 'email' })).toMatchObject({
    body: { created: 1, updated: 1, failed: 0 },
  });
  expect(await externalIds(eva)).toEqual(['new']);
});

test('an external id that another lead keeps is refused as before', async () => {
  const ana = await createLead(client, { externalId: 'one' });
  const eva = await createLead(client, { externalId: 'two' });
  const items = [
    { id: ana.id, externalId: 'two' },
    { id: eva.id, name: 'Eva' },
  ];
  expectInvalid(await bulk('update', items, { atomic: true }), 'items[0].externalId');
  expect(await externalIds(ana, eva)).toEqual(['one', 'two']);
});
