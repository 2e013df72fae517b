import { ChangeLead } from '../../src/modules/leads';
import type { LeadId } from '../../src/kernel/ids';
import { draft } from '../proposals/support';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectForbidden, expectInvalid } from '../support/refusals';
import { addStage } from '../support/stages';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const DEFAULTS = {
  visitBooked: 'visit_booked',
  proposalSent: 'proposal_sent',
  proposalAccepted: 'confirmed',
};
const automate = (choices: object) => client.patch('/v1/automations', choices);
const get = async () => (await client.get('/v1/automations')).body;
const stageOfLead = async (id: string) => (await client.get(`/v1/leads/${id}`)).body.stage;
const advanceTo = (id: string, role: 'visitBooked' | 'proposalSent' | 'proposalAccepted') =>
  gala.app
    .get(ChangeLead, { strict: false })
    .advanceTo({ workspaceId: workspace.id, mode: 'live' }, id as LeadId, role);

test('they are the built-in stages until the workspace chooses others', async () => {
  expect(await get()).toEqual(DEFAULTS);
  await addStage(client, 'viewing');
  expect((await automate({ visitBooked: 'viewing' })).body).toEqual({ ...DEFAULTS, visitBooked: 'viewing' });
  expect(await get()).toEqual({ ...DEFAULTS, visitBooked: 'viewing' });
  expect((await automate({})).body).toEqual(await get());
  expect((await (await workspace.client('test')).get('/v1/automations')).body).toEqual(DEFAULTS);
  expect((await automate({ visitBooked: 'visit_booked' })).body).toEqual(DEFAULTS);
});

test('several facts can lead to one stage', async () => {
  const choices = {
    visitBooked: 'negotiation',
    proposalSent: 'negotiation',
    proposalAccepted: 'negotiation',
  };
  expect((await automate(choices)).body).toEqual(choices);
  expect(await get()).toEqual(choices);
});

test.each([
  ['visitBooked', 'nowhere'],
  ['proposalSent', 'lost'],
  ['proposalAccepted', null],
  ['proposalAccepted', 5],
  ['nothing', 'contacted'],
])('refuses %s: %j', async (field, value) => {
  expectInvalid(await automate({ [field]: value }), field);
  expect(await get()).toEqual(DEFAULTS);
});

test('reading takes leads:read, writing schema:write', async () => {
  const reader = await workspace.client('live', ['leads:read', 'leads:write']);
  expect((await reader.get('/v1/automations')).status).toBe(200);
  expectForbidden(await reader.patch('/v1/automations', { visitBooked: 'contacted' }));
});

test('a booked visit and a sent proposal move leads where the workspace wants them', async () => {
  await addStage(client, 'viewing');
  await addStage(client, 'offer_out', { allowedFrom: ['lost'], requiredFields: ['phone'] });
  await automate({ visitBooked: 'viewing', proposalSent: 'offer_out' });
  const lead = await createLead(client, { guests: 20 });
  const start = { startsAt: '2027-02-03T10:00:00.000Z' };
  expect((await client.post(`/v1/leads/${lead.id}/visits`, start)).status).toBe(201);
  expect(await stageOfLead(lead.id)).toBe('viewing');
  const proposal = await draft(client, { leadId: lead.id });
  expect((await client.post(`/v1/proposals/${proposal.id}/send`)).status).toBe(200);
  // Rules of the stage don't hold up a fact.
  expect(await stageOfLead(lead.id)).toBe('offer_out');
});

describe('a fact moves a lead forward only', () => {
  test.each([
    ['new_enquiry', 'proposalSent', 'proposal_sent'],
    ['negotiation', 'proposalSent', 'negotiation'],
    ['completed', 'proposalAccepted', 'completed'],
    ['lost', 'proposalSent', 'proposal_sent'],
  ] as const)('from %s by %s: %s', async (stage, role, expected) => {
    const lead = await createLead(client, { stage });
    await advanceTo(lead.id, role);
    expect(await stageOfLead(lead.id)).toBe(expected);
  });

  test('by the order of the workspace, but a won stage is ahead of every open one', async () => {
    await addStage(client, 'tasting');
    await addStage(client, 'no_answer', { outcome: 'lost' });
    const order = [
      'confirmed',
      'completed',
      'tasting',
      'proposal_sent',
      'new_enquiry',
      'contacted',
      'visit_booked',
    ];
    await client.request('PUT', '/v1/stages/order', { keys: [...order, 'negotiation', 'lost', 'no_answer'] });
    const moved = async (stage: string, role: Parameters<typeof advanceTo>[1]) => {
      const lead = await createLead(client, { stage });
      await advanceTo(lead.id, role);
      return stageOfLead(lead.id);
    };
    expect(await moved('tasting', 'proposalSent')).toBe('proposal_sent');
    expect(await moved('new_enquiry', 'proposalSent')).toBe('new_enquiry');
    expect(await moved('negotiation', 'proposalAccepted')).toBe('confirmed');
    expect(await moved('confirmed', 'proposalSent')).toBe('confirmed');
    expect(await moved('no_answer', 'proposalSent')).toBe('proposal_sent');
  });

  test('and an archived lead not at all', async () => {
    const lead = await createLead(client);
    await client.delete(`/v1/leads/${lead.id}`);
    await advanceTo(lead.id, 'proposalSent');
    expect(await stageOfLead(lead.id)).toBe('new_enquiry');
  });
});

test('an archived stage hands its facts to the stage that its leads move to, or to the built-in one', async () => {
  await addStage(client, 'viewing');
  await addStage(client, 'offer_out');
  await automate({ visitBooked: 'viewing', proposalSent: 'offer_out' });
  await createLead(client, { stage: 'viewing' });
  await client.post('/v1/stages/viewing/archive', { moveTo: 'contacted' });
  await client.post('/v1/stages/offer_out/archive');
  expect(await get()).toEqual({ ...DEFAULTS, visitBooked: 'contacted' });
});

test('ChangeLead.advance goes by the order of the workspace, too, and into no archived stage', async () => {
  await addStage(client, 'tasting');
  const changeLead = gala.app.get(ChangeLead, { strict: false });
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const lead = await createLead(client);
  expect((await changeLead.advance(ref, lead.id as LeadId, 'tasting')).stage).toBe('tasting');
  expect((await changeLead.advance(ref, lead.id as LeadId, 'contacted')).stage).toBe('tasting');
  await client.post('/v1/stages/tasting/archive', { moveTo: 'contacted' });
  const other = await createLead(client);
  await expect(changeLead.advance(ref, other.id as LeadId, 'tasting')).rejects.toThrow('archived');
});
