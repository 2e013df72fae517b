import { Clock } from '../../src/kernel/clock';
import { SendMessage } from '../../src/modules/messages';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { expectRefusalAt, pathOf, sent, visitor } from './support';

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({
    overrides: [{ provide: Clock, useValue: clock }],
    configuration: { trustedProxies: ['loopback'] },
  });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  clock.advance(3600);
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});

const QUESTION_FORM = '<div id="question"><details class="section" open>';
let addresses = 0;
const anywhere = () => `10.8.0.${++addresses}`;
const ask = (page: string, question: string, address = anywhere()) =>
  visitor(gala.baseUrl, { 'X-Forwarded-For': address }).submit(
    `${page}/questions`,
    { question },
    { on: page },
  );
const messagesOf = async ({ leadId }: { leadId: string }) =>
  (await client.get(`/v1/messages?leadId=${leadId}`)).body.data;

describe('a question', () => {
  test('is a received message of the lead, with its event', async () => {
    const offer = await sent(client);
    const page = pathOf(offer);
    const who = visitor(gala.baseUrl);
    const answer = await who.submit(
      `${page}/questions`,
      { question: 'Are dogs welcome?\r\n<b>' },
      { on: page },
    );
    expect(answer).toMatchObject({ status: 303, headers: { location: `${page}?notice=asked#question` } });
    expect((await who.get(`${page}?notice=asked`)).text).toContain('Your question was sent to');
    const [message] = await messagesOf(offer);
    expect(message).toMatchObject({
      ...{ direction: 'inbound', channel: 'web', status: 'received', type: 'text' },
      ...{ text: 'Are dogs welcome?\n<b>', phone: null, channelUserId: null },
    });
    const { body } = await client.get('/v1/events?limit=100');
    const event = body.data.find(({ type }: any) => type === 'message.received');
    expect(event).toMatchObject({ data: message, cause: { type: 'client', id: offer.leadId } });
    const timeline = await client.get(`/v1/leads/${offer.leadId}/timeline`);
    expect(JSON.stringify(timeline.body)).toContain('Web message from the lead');
  });

  test('neither opens the window for free text nor decides on consent', async () => {
    const offer = await sent(client);
    await client.patch(`/v1/leads/${offer.leadId}`, { phone: '+34600123456' });
    await ask(pathOf(offer), 'STOP');
    expect((await messagesOf(offer))[0].text).toBe('STOP');
    const rows = await sql(gala.databaseUrl, 'SELECT FROM message_opt_outs');
    expect(rows).toEqual([]);
    const lead = (await client.get(`/v1/leads/${offer.leadId}`)).body;
    const ref = { workspaceId: workspace.id, mode: 'live' } as const;
    await expect(
      gala.app.get(SendMessage, { strict: false }).requireTextSendable(ref, lead),
    ).rejects.toThrow();
  });

  test.each(['', '  ', 'x'.repeat(2001)])('is shown again when it can’t be taken (%#)', async (question) => {
    const offer = await sent(client);
    const answer = await ask(pathOf(offer), question);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('id="question-problem"');
    expectRefusalAt(answer.text, 'questions', QUESTION_FORM);
    expect(await messagesOf(offer)).toEqual([]);
  });

  test('can be asked after the answer, too', async () => {
    const offer = await sent(client);
    await client.post(`/v1/proposals/${offer.id}/withdraw`);
    expect((await ask(pathOf(offer), 'What now?')).status).toBe(303);
  });

  test('of an unknown or archived link finds nobody', async () => {
    const offer = await sent(client);
    const page = pathOf(offer);
    const who = visitor(gala.baseUrl);
    await who.get(page);
    await client.delete(`/v1/proposals/${offer.id}`);
    const answer = await who.submit(`${page}/questions`, { question: 'Hello?' }, { on: '/password-reset' });
    expect(answer.status).toBe(404);
    expect(await messagesOf(offer)).toEqual([]);
  });

  test('of test mode stays there', async () => {
    const offer = await sent(await workspace.client('test'));
    expect((await ask(pathOf(offer), 'Hello?')).status).toBe(303);
    expect((await client.get('/v1/messages')).body.data).toEqual([]);
  });
});

test('each link takes ten questions an hour, and what was typed stays', async () => {
  const offer = await sent(client);
  const page = pathOf(offer);
  const statuses: number[] = [];
  for (let count = 1; count <= 11; count++) {
    const answer = await ask(page, `Question ${count}`);
    statuses.push(answer.status);
    if (count === 11) {
      expect(answer.text).toContain('many questions at once');
      expect(answer.text).toContain('Question 11');
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expectRefusalAt(answer.text, 'questions', QUESTION_FORM);
    }
  }
  expect(statuses).toEqual([...Array<number>(10).fill(303), 429]);
  expect(await messagesOf(offer)).toHaveLength(10);
});

test('each address asks ten questions an hour, whatever the link', async () => {
  const statuses: number[] = [];
  for (let count = 1; count <= 12; count++) {
    statuses.push((await ask(pathOf(await sent(client)), 'Hello?', '10.9.0.1')).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(303), 429, 429]);
});
