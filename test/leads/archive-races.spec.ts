import { createSpace, WEDDING } from '../support/calendar';
import { allEvents } from '../support/events';
import type { Answer, Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import type { TestGala, TestWorkspace } from '../support/start-gala';
import { draft, LINES, pathOf, sent, visitor } from '../proposals/support';

jest.setTimeout(120_000);

const ROUNDS = 20;

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
giveEachTestAWorkspace((given) => ({ gala, workspace, client } = given), 'test');

/** An action and the archiving of its lead, at once; which of the two is sent first changes from round to round. */
async function race(round: number, leadId: string, act: () => Promise<Answer>): Promise<Answer> {
  const archive = () => client.delete(`/v1/leads/${leadId}`);
  const [action, archived] =
    round % 2 ? await Promise.all([act(), archive()]) : (await Promise.all([archive(), act()])).reverse();
  expect(archived!.status).toBe(200);
  return action!;
}

const leadAfter = async (id: string): Promise<LeadBody> => (await client.get(`/v1/leads/${id}`)).body;

/** The types of everything that happened to the lead or because of it, in order; time never runs backwards in it. */
async function history(leadId: string): Promise<string[]> {
  const events = (await allEvents(gala, workspace.id)).filter(
    ({ data }) => data.id === leadId || data.leadId === leadId,
  );
  const times = events.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted());
  return events.map(({ type }) => type);
}

/** Whatever was done for the lead was done before it was archived. */
async function expectBeforeArchiving(leadId: string, type: string): Promise<void> {
  const types = await history(leadId);
  expect(types).toContain(type);
  expect(types.at(-1)).toBe('lead.archived');
}

describe('a lead that is archived at the same moment', () => {
  const cases: [string, string, () => Promise<{ leadId: string; act: () => Promise<Answer> }>][] = [
    [
      'is drafted a proposal',
      'proposal.created',
      async () => {
        const { id: leadId } = await createLead(client, { guests: 10 });
        return {
          leadId,
          act: () => client.post('/v1/proposals', { leadId, title: 'Dinner', lineItems: LINES }),
        };
      },
    ],
    [
      'has a calendar event',
      'calendar_event.created',
      async () => {
        const { id: leadId } = await createLead(client);
        const { id: spaceId } = await createSpace(client);
        return { leadId, act: () => client.post('/v1/calendar-events', { ...WEDDING, leadId, spaceId }) };
      },
    ],
    [
      'is given an event that there is',
      'calendar_event.updated',
      async () => {
        const { id: leadId } = await createLead(client);
        const { body } = await client.post('/v1/calendar-events', WEDDING);
        return { leadId, act: () => client.patch(`/v1/calendar-events/${body.id}`, { leadId }) };
      },
    ],
    [
      'is given a task',
      'task.created',
      async () => {
        const { id: leadId } = await createLead(client);
        return { leadId, act: () => client.post('/v1/tasks', { leadId, title: 'Send the menu' }) };
      },
    ],
    [
      'is given a task that there is',
      'task.updated',
      async () => {
        const { id: leadId } = await createLead(client);
        const { body } = await client.post('/v1/tasks', { title: 'Send the menu' });
        return { leadId, act: () => client.patch(`/v1/tasks/${body.id}`, { leadId }) };
      },
    ],
    [
      'is sent a message',
      'message.queued',
      async () => {
        const { id: leadId } = await createLead(client, { phone: '+34600123456' });
        return { leadId, act: () => client.post('/v1/messages', { leadId, text: 'Hello' }) };
      },
    ],
  ];
  test.each(cases)('%s before that, or not at all', async (_, type, prepare) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { leadId, act } = await prepare();
      const { status, body } = await race(round, leadId, act);
      if (status < 300) await expectBeforeArchiving(leadId, type);
      else expect([status, body.error.field]).toEqual([422, 'leadId']);
    }
  });

  test('is sent a proposal and moved on before that, or not at all', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, leadId } = await draft(client);
      const { status, body } = await race(round, leadId, () => client.post(`/v1/proposals/${id}/send`));
      const { stage } = await leadAfter(leadId);
      if (status === 200) {
        expect(stage).toBe('proposal_sent');
        await expectBeforeArchiving(leadId, 'proposal.sent');
      } else {
        expect([status, body.error.field, stage]).toEqual([422, 'leadId', 'new_enquiry']);
      }
    }
  });

  test('is booked a visit and moved on before that, or not at all', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await createLead(client);
      const book = () => client.post(`/v1/leads/${id}/visits`, { startsAt: '2027-02-03T10:00:00Z' });
      const { status, body } = await race(round, id, book);
      const { stage } = await leadAfter(id);
      if (status === 201) {
        expect(stage).toBe('visit_booked');
        await expectBeforeArchiving(id, 'calendar_event.created');
      } else {
        expect([status, body.error.field, stage]).toEqual([422, 'archivedAt', 'new_enquiry']);
      }
    }
  });

  test('accepts and is confirmed before that, or accepts after it and stays where it was', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const offer = await sent(client);
      const ana = visitor(gala.baseUrl);
      const form = { csrfToken: await ana.csrfToken(pathOf(offer)), name: 'Ana', consent: 'yes' };
      const accept = () => ana.post(`${pathOf(offer)}/accept`, form);
      expect((await race(round, offer.leadId, accept)).status).toBe(303);
      const types = await history(offer.leadId);
      const { stage } = await leadAfter(offer.leadId);
      const isConfirmed = types.indexOf('proposal.accepted') < types.indexOf('lead.archived');
      expect(stage).toBe(isConfirmed ? 'confirmed' : 'proposal_sent');
    }
  });
});

test('a lead that is restored while a proposal is sent to it: sent and moved on, or neither', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, leadId } = await draft(client);
    await client.delete(`/v1/leads/${leadId}`);
    const [answer, restored] = await Promise.all([
      client.post(`/v1/proposals/${id}/send`),
      client.post(`/v1/leads/${leadId}/restore`),
    ]);
    expect(restored.status).toBe(200);
    const { stage } = await leadAfter(leadId);
    expect([answer.status, stage]).toEqual(
      answer.status === 200 ? [200, 'proposal_sent'] : [422, 'new_enquiry'],
    );
  }
});

test('versions that are sent, accepted and archived with their lead at once wait for each other in one order', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const first = await sent(client);
    const second = (await client.post(`/v1/proposals/${first.id}/revise`)).body;
    const ana = visitor(gala.baseUrl);
    const form = { csrfToken: await ana.csrfToken(pathOf(first)), name: 'Ana', consent: 'yes' };
    const answers = await Promise.all([
      ana.post(`${pathOf(first)}/accept`, form),
      client.post(`/v1/proposals/${second.id}/send`),
      client.post('/v1/calendar-events', { ...WEDDING, type: 'hold', leadId: first.leadId }),
      client.delete(`/v1/leads/${first.leadId}`),
    ]);
    // A deadlock would be a 500.
    for (const { status } of answers) expect([200, 201, 303, 409, 422]).toContain(status);
  }
});
