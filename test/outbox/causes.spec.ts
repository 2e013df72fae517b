import { Clock } from '../../src/kernel/clock';
import { createLead } from '../support/leads';
import { allEvents, type StoredEvent } from '../support/events';
import type { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { draft, pathOf, sent, visitor } from '../proposals/support';

/** Each look at it is a millisecond later, so that what is looked up first is earlier. */
class TickingClock extends Clock {
  private time = Date.parse('2027-01-15T09:30:00.000Z');

  now(): Date {
    return new Date(this.time++);
  }
}

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useClass: TickingClock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client('test');
});

/** The events from the first of that type on, whose times never run backwards. */
async function chain(first: string): Promise<string[]> {
  const events = await allEvents(gala, workspace.id);
  const times = events.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted());
  const types = events.map(({ type }) => type);
  return types.slice(types.indexOf(first));
}

describe('what follows from something is told after it, and is no earlier', () => {
  test('a proposal that is sent moves its lead on', async () => {
    const { id } = await draft(client);
    await client.post(`/v1/proposals/${id}/send`);
    expect(await chain('proposal.sent')).toEqual(['proposal.sent', 'lead.updated', 'lead.stage_changed']);
  });

  test('another version that is sent takes the one before it back', async () => {
    const offer = await sent(client);
    const { body } = await client.post(`/v1/proposals/${offer.id}/revise`);
    await client.patch(`/v1/leads/${offer.leadId}`, { stage: 'contacted' });
    await client.post(`/v1/proposals/${body.id}/send`);
    expect((await chain('proposal.created')).slice(-4)).toEqual([
      'proposal.sent',
      'proposal.updated',
      'lead.updated',
      'lead.stage_changed',
    ]);
  });

  test('a client who accepts is confirmed', async () => {
    const offer = await sent(client);
    const ana = visitor(gala.baseUrl);
    const form = { csrfToken: await ana.csrfToken(pathOf(offer)), name: 'Ana', consent: 'yes' };
    expect((await ana.post(`${pathOf(offer)}/accept`, form)).status).toBe(303);
    expect(await chain('proposal.accepted')).toEqual([
      'proposal.accepted',
      'lead.updated',
      'lead.stage_changed',
    ]);
  });

  test('a visit that is booked moves its lead on', async () => {
    const { id } = await createLead(client);
    await client.post(`/v1/leads/${id}/visits`, { startsAt: '2027-02-03T10:00:00Z' });
    expect(await chain('calendar_event.created')).toEqual([
      'calendar_event.created',
      'lead.updated',
      'lead.stage_changed',
    ]);
  });

  test('a key that is rotated has a successor and is revoked', async () => {
    const { body } = await client.post('/v1/api-keys', { name: 'Website' });
    await client.post(`/v1/api-keys/${body.id}/rotate`, { gracePeriodSeconds: 0 });
    expect((await chain('api_key.created')).slice(-2)).toEqual(['api_key.created', 'api_key.revoked']);
  });
});

test('every event of a change says what was there before', async () => {
  const { id: leadId } = await createLead(client, { phone: '+34600123456' });
  await client.patch(`/v1/leads/${leadId}`, { stage: 'contacted' });
  await client.post(`/v1/leads/${leadId}/opt-out`);
  const offer = await sent(client);
  await client.delete(`/v1/proposals/${offer.id}`);
  const { body: key } = await client.post('/v1/api-keys', { name: 'Website' });
  await client.delete(`/v1/api-keys/${key.id}`);
  const { body: visit } = await client.post(`/v1/leads/${leadId}/visits`, {
    startsAt: '2027-02-03T10:00:00Z',
  });
  await client.delete(`/v1/calendar-events/${visit.id}`);
  await client.delete(`/v1/leads/${leadId}`);
  const isOfChange = ({ type }: StoredEvent) => !/[.](created|queued|received|installed)$/.test(type);
  const changes = (await allEvents(gala, workspace.id)).filter(isOfChange);
  expect(new Set(changes.map(({ type }) => type)).size).toBeGreaterThan(7);
  for (const { type, data, previous } of changes) {
    expect({ type, previous }).toEqual({ type, previous: expect.any(Object) });
    for (const [name, value] of Object.entries(previous)) expect(data[name]).not.toEqual(value);
  }
});
