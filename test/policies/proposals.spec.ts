import { ValidationFailed } from '../../src/kernel/errors';
import type { ProposalChange, ProposalCreation } from '../../src/modules/proposals';
import type { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { draft, eventsOf, LINES, pathOf, send, sent, visitor } from '../proposals/support';
import { expectRefused, HouseRules } from './support';

const rules = new HouseRules();
let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ extensions: [rules.extension] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  rules.forget();
  client = await (await gala.createWorkspace()).client();
});

const change = (id: string, fields: object) => client.patch(`/v1/proposals/${id}`, fields);
const act = (id: string, action: string) => client.post(`/v1/proposals/${id}/${action}`);
const FEE = { description: 'Service', unit: 'flat', unitAmount: 1000 } as const;

/** Has the policy refuse everything, and tells what it refused. */
function refuseAll(): ProposalChange[] {
  const refused: ProposalChange[] = [];
  rules.proposals.beforeChange = (change) => {
    refused.push(change);
    throw new ValidationFailed({ field: 'title', message: `no ${change.action}` });
  };
  return refused;
}

describe('a draft', () => {
  test('is created with what a policy makes of it, and priced after that', async () => {
    const seen: ProposalCreation[] = [];
    rules.proposals.beforeCreate = (creation) => {
      seen.push(creation);
      return { lineItems: [...(creation.fields.lineItems ?? []), FEE], deposit: { percent: 10 } };
    };
    const proposal = await draft(client, { lineItems: [LINES[1]], notes: null });
    expect(proposal).toMatchObject({ subtotal: 251_000, total: 303_500, deposit: { amount: 30_350 } });
    expect(seen).toMatchObject([{ leadId: proposal.leadId, previous: null, caller: { type: 'api_key' } }]);
    expect(seen[0]!.fields).toEqual({ title: 'Wedding', lineItems: [LINES[1]] });
  });

  test('can be refused, and leaves no gap in the numbers', async () => {
    const { leadId, number } = await draft(client);
    rules.proposals.beforeCreate = ({ fields }) => {
      if (fields.title === 'Festival') throw new ValidationFailed({ field: 'title', message: 'too loud' });
    };
    expectRefused(await client.post('/v1/proposals', { leadId, title: 'Festival' }), 'title', 'too loud');
    expect((await draft(client)).number).toBe(Number(number) + 1);
  });

  test.each([
    [{ currency: 'EURO' }, 'currency'],
    [{ lineItems: null }, 'lineItems'],
    [{ lineItems: [{ ...FEE, unit: 'yard' }] }, 'lineItems[0].unit'],
    [{ leadId: 'lead_01h455vb4pex5vsknk084sn02q' }, 'leadId'],
  ])('takes from a policy only what it would take from a request: %j', async (returned, field) => {
    const { leadId } = await draft(client);
    rules.proposals.beforeCreate = () => returned as never;
    const { status, body } = await client.post('/v1/proposals', { leadId, title: 'Wedding' });
    expect({ status, field: body.error.field }).toEqual({ status: 422, field });
    expect(body.error.message).toContain('(set by the policy house rules)');
  });

  test('is changed with what a policy makes of it, by the rules of the domain as well', async () => {
    const { id } = await draft(client);
    rules.proposals.beforeChange = ({ proposal, changes, action }) => {
      expect(action).toBe('update');
      return { notes: `${proposal.title} → ${changes.title}`, deposit: { amount: 1e9 } };
    };
    const refused = await change(id, { title: 'Lunch' });
    expect(refused).toMatchObject({ status: 422, body: { error: { field: 'deposit.amount' } } });
    rules.proposals.beforeChange = ({ proposal, changes }) => ({
      notes: `${proposal.title} → ${changes.title}`,
    });
    expect((await change(id, { title: 'Lunch' })).body).toMatchObject({ notes: 'Wedding → Lunch' });
    rules.proposals.beforeChange = () => ({ notes: 'asked' });
    expect((await change(id, {})).body.notes).toBe('Wedding → Lunch');
  });
});

test('another version is created like a draft, with the content of the one before', async () => {
  const first = await sent(client, { deposit: { percent: 30 } });
  const seen: ProposalCreation[] = [];
  rules.proposals.beforeCreate = (creation) => {
    seen.push(creation);
    const { lineItems = [] } = creation.fields;
    return { lineItems: [...lineItems, FEE], title: 'Wedding, second version' };
  };
  const { status, body } = await act(first.id, 'revise');
  expect(status).toBe(201);
  expect(body).toMatchObject({
    version: 2,
    title: 'Wedding, second version',
    subtotal: Number(first.subtotal) + 1000,
  });
  expect(seen[0]!.previous).toMatchObject({ id: first.id, status: 'sent' });
  expect(seen[0]!.fields).toEqual({
    title: 'Wedding',
    currency: 'EUR',
    lineItems: LINES.map((line) => ({ ...line, quantity: line.unit === 'flat' ? 1 : 120, group: null })),
    deposit: { percent: 30, dueDate: null },
    sections: [],
  });
});

test('sending, withdrawing, archiving, restoring and a new link can be refused', async () => {
  const { id } = await draft(client);
  const { id: open } = await sent(client);
  const { id: archived } = await draft(client);
  await client.delete(`/v1/proposals/${archived}`);
  const before = await eventsOf(client, open);
  const refused = refuseAll();
  expectRefused(await act(id, 'send'), 'title', 'no send');
  expectRefused(await act(open, 'withdraw'), 'title', 'no withdraw');
  expectRefused(await act(open, 'rotate-link'), 'title', 'no rotate_link');
  expectRefused(await client.delete(`/v1/proposals/${open}`), 'title', 'no archive');
  expectRefused(await act(archived, 'restore'), 'title', 'no restore');
  expect(
    refused.map(({ proposal, changes }) => [proposal.status, proposal.archivedAt === null, changes]),
  ).toEqual([
    ['draft', true, {}],
    ['sent', true, {}],
    ['sent', true, {}],
    ['sent', true, {}],
    ['draft', false, {}],
  ]);
  expect(await eventsOf(client, open)).toEqual(before);
  expect((await client.get(`/v1/proposals/${id}`)).body.status).toBe('draft');
});

test('what changes nothing asks nobody, and neither does what the client does', async () => {
  const offer = await sent(client);
  const withdrawn = await sent(client);
  await act(withdrawn.id, 'withdraw');
  const { body: second } = await act(offer.id, 'revise');
  const refused = refuseAll();
  expect((await act(withdrawn.id, 'withdraw')).status).toBe(200);
  expect((await act(offer.id, 'restore')).status).toBe(200);
  expect(refused).toEqual([]);
  rules.forget();
  const resent = await send(client, second.id);
  expect((await client.get(`/v1/proposals/${offer.id}`)).body.status).toBe('withdrawn');
  const alsoRefused = refuseAll();
  const page = pathOf(resent);
  const client2 = visitor(gala.baseUrl);
  await client2.get(page);
  await client2.submit(`${page}/decline`, { reason: 'Too far', decline: 'yes' }, { on: page });
  expect((await client.get(`/v1/proposals/${resent.id}`)).body.status).toBe('declined');
  expect(alsoRefused).toEqual([]);
});
