import { newId } from '../../src/kernel/ids';
import { ChangeMessage } from '../../src/modules/messages/application/change-message';
import { ReceiveMessage } from '../../src/modules/messages/application/receive-message';
import { log } from '../activities/support';
import { draft, sent } from '../proposals/support';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let lead: LeadBody;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client('test');
  lead = await createLead(client, { phone: '+15005550001', guests: 100 });
});
afterAll(() => gala.stop());

const ref = () => ({ workspaceId: workspace.id, mode: 'test' }) as const;
const journey = async (id = lead.id) => {
  const { status, body } = await client.get(`/v1/leads/${id}/journey`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
/** The credential of the tests. */
const KEY = () => ({ type: 'api_key', id: expect.stringMatching(/^key_/), name: expect.any(String) });
const NO_ANSWER = () => ({ firstResponse: null, awaitingReplySince: lead.createdAt });

/** Sends a message, which the channel takes at once. */
async function sendMessage(fields: object = {}) {
  const { status, body } = await client.post('/v1/messages', { leadId: lead.id, text: 'Hi', ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  await gala.app
    .get(ChangeMessage, { strict: false })
    .accept(ref(), body.id, { providerId: body.id, contact: null });
  return (await client.get(`/v1/messages/${body.id}`)).body;
}

/** A message of the lead. */
function receive(sentAt = new Date(), phone = lead.phone!) {
  return gala.app.get(ReceiveMessage, { strict: false }).execute(ref(), {
    ...{ providerId: newId('msg'), type: 'text', text: 'Hello', media: null, sentAt },
    sender: { phone, userId: null, name: 'Ana', former: null } as never,
  });
}

test('a new lead waits, and its only stay lasts', async () => {
  const { stages, ...rest } = await journey();
  expect(rest).toEqual({ ...NO_ANSWER(), wonAt: null, lostAt: null, completeSince: lead.createdAt });
  expect(stages).toEqual([
    { stage: 'new_enquiry', enteredAt: lead.createdAt, leftAt: null, seconds: expect.any(Number) },
  ]);
});

test('an unknown lead has none, nor has one of the other mode', async () => {
  expect(await client.get(`/v1/leads/${newId('lead')}/journey`)).toMatchObject({ status: 404 });
  const live = await workspace.client('live');
  expect(await live.get(`/v1/leads/${lead.id}/journey`)).toMatchObject({ status: 404 });
});

test('a person or credential that moves the lead out of the first stage responds', async () => {
  const { body } = await client.patch(`/v1/leads/${lead.id}`, { stage: 'contacted' });
  expect(await journey()).toMatchObject({
    firstResponse: { at: body.updatedAt, kind: 'stage', by: { type: 'api_key', name: expect.any(String) } },
    awaitingReplySince: null,
    stages: [{ stage: 'new_enquiry', leftAt: body.updatedAt }, { stage: 'contacted' }],
  });
});

test('a message responds when it is sent, and an automatic one doesn’t', async () => {
  await receive();
  expect(await sendMessage({ automatic: true })).toMatchObject({ automatic: true });
  expect(await journey()).toMatchObject(NO_ANSWER());
  const message = await sendMessage();
  expect(message).toMatchObject({ automatic: false });
  expect(await journey()).toMatchObject({
    firstResponse: { at: message.sentAt, kind: 'message', by: KEY() },
    awaitingReplySince: null,
  });
  const answer = await receive();
  expect(await journey()).toMatchObject({
    firstResponse: { at: message.sentAt },
    awaitingReplySince: answer!.sentAt!.toISOString(),
  });
});

test('a proposal, a visit and an outbound activity respond; a draft and an inbound call don’t', async () => {
  await draft(client, { leadId: lead.id });
  await log(client, lead.id, { direction: 'in' });
  expect(await journey()).toMatchObject(NO_ANSWER());
  const call = await log(client, lead.id, { direction: 'out' });
  expect(await journey()).toMatchObject({
    firstResponse: { at: call.at, kind: 'activity', by: { type: 'api_key', id: call.author.id } },
    awaitingReplySince: null,
  });

  lead = await createLead(client);
  const visit = await client.post(`/v1/leads/${lead.id}/visits`, { startsAt: '2027-02-03T10:00:00Z' });
  expect(await journey()).toMatchObject({ firstResponse: { at: visit.body.createdAt, kind: 'visit' } });

  lead = await createLead(client, { guests: 100 });
  const proposal = await sent(client, { leadId: lead.id });
  expect(await journey()).toMatchObject({
    firstResponse: { at: proposal.sentAt, kind: 'proposal', by: KEY() },
  });
});

test('an earlier answer that is logged later is the first, and no wait begins when it is taken back', async () => {
  await client.patch(`/v1/leads/${lead.id}`, { stage: 'contacted' });
  const before = await journey();
  const call = await log(client, lead.id, { direction: 'out', at: lead.createdAt });
  expect(await journey()).toMatchObject({ firstResponse: { kind: 'activity', at: call.at, seconds: 0 } });
  expect(await client.delete(`/v1/leads/${lead.id}/activities/${call.id}`)).toMatchObject({ status: 200 });
  expect((await journey()).firstResponse).toEqual(before.firstResponse);
  expect((await journey()).awaitingReplySince).toBeNull();
});

test('an answer that is taken back leaves the lead waiting', async () => {
  const call = await log(client, lead.id, { direction: 'out' });
  await client.patch(`/v1/leads/${lead.id}/activities/${call.id}`, { direction: 'in' });
  expect(await journey()).toMatchObject(NO_ANSWER());
});

test('the clock of a lead that writes first starts at its message', async () => {
  const sentAt = new Date(Date.now() - 60_000);
  const message = await receive(sentAt, '+15005550077');
  lead = await createLead(client).then(async () => (await client.get(`/v1/leads/${message!.leadId!}`)).body);
  expect((await journey()).awaitingReplySince).toBe(sentAt.toISOString());
  await client.patch(`/v1/leads/${lead.id}`, { stage: 'contacted' });
  expect((await journey()).firstResponse.seconds).toBeGreaterThanOrEqual(60);
});

test('a lead that is lost no longer waits, and reopening it doesn’t bring the wait back', async () => {
  await client.patch(`/v1/leads/${lead.id}`, { stage: 'contacted' });
  await receive();
  await client.patch(`/v1/leads/${lead.id}`, { stage: 'lost' });
  expect(await journey()).toMatchObject({ awaitingReplySince: null, lostAt: expect.any(String) });
  await client.patch(`/v1/leads/${lead.id}`, { stage: 'contacted' });
  expect(await journey()).toMatchObject({ awaitingReplySince: null, lostAt: null });
});
