import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../src/kernel/clock';
import { ExpiryJob } from '../../src/modules/proposals/infrastructure/expiry-job';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { pathOf, sent, typesOf, visitor } from './support';

/** Two instances on one database. */
let gala: TestGala;
let other: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  other = await startGala({ databaseUrl: gala.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await gala.stop();
});

const ENDS = ['accepted', 'declined', 'withdrawn', 'expired'];

test('of accepting, declining, withdrawing and archiving at once exactly one counts: a hundred times', async () => {
  const outcomes: Record<string, number> = {};
  for (let round = 0; round < 100; round++) {
    if (round % 10 === 0) client = await (await gala.createWorkspace()).client();
    const offer = await sent(client);
    const page = pathOf(offer);
    const [ana, ben, eva] = [gala, other, gala].map(({ baseUrl }) => visitor(baseUrl));
    const tokens = await Promise.all([ana, ben, eva].map((each) => each!.csrfToken(page)));
    const yes = (index: number) => ({ csrfToken: tokens[index]!, name: `Name ${index}`, consent: 'yes' });
    const calls = [
      () => ana!.post(`${page}/accept`, yes(0)),
      () => ben!.post(`${page}/accept`, yes(1)),
      () => eva!.post(`${page}/decline`, { csrfToken: tokens[2]!, decline: 'yes' }),
      () => client.post(`/v1/proposals/${offer.id}/withdraw`),
    ];
    // Another one is first each time.
    const order = calls.map((_, index) => (index + round) % calls.length);
    const answers = await Promise.all(order.map((index) => calls[index]!()));
    const of = (index: number) => answers[order.indexOf(index)]!;
    const after = (await client.get(`/v1/proposals/${offer.id}`)).body;
    const types = (await typesOf(client, offer.id)).filter((type) =>
      ['accepted', 'declined', 'updated', 'expired'].includes(type.split('.')[1]!),
    );
    expect(ENDS).toContain(after.status);
    expect(types).toEqual([`proposal.${after.status === 'withdrawn' ? 'updated' : after.status}`]);
    const successes = [0, 1, 2].filter((index) => of(index).status === 303);
    expect(successes).toHaveLength(after.status === 'withdrawn' ? 0 : 1);
    for (const index of [0, 1, 2]) expect([303, 409]).toContain(of(index).status);
    expect(of(3).status).toBe(after.status === 'withdrawn' ? 200 : 422);
    if (after.status === 'accepted') expect(after.acceptance.name).toBe(`Name ${successes[0]}`);
    const { stage } = (await client.get(`/v1/leads/${offer.leadId}`)).body;
    expect(stage).toBe(after.status === 'accepted' ? 'confirmed' : 'proposal_sent');
    outcomes[after.status] = (outcomes[after.status] ?? 0) + 1;
  }
  expect(Object.keys(outcomes).length).toBeGreaterThan(1);
}, 120_000);

test('a proposal that is sent, revised and archived by many at once is none of it twice', async () => {
  client = await (await gala.createWorkspace()).client();
  for (let round = 0; round < 10; round++) {
    const offer = await sent(client);
    const revisions = await Promise.all(
      Array.from({ length: 6 }, () => client.post(`/v1/proposals/${offer.id}/revise`)),
    );
    expect(revisions.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    const { id } = revisions.find(({ status }) => status === 201)!.body;
    const sends = await Promise.all(Array.from({ length: 6 }, () => client.post(`/v1/proposals/${id}/send`)));
    expect(sends.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    expect(await typesOf(client, id)).toEqual(['proposal.created', 'proposal.sent']);
  }
});

test('an offer that is accepted while its time runs out is one of both, told once', async () => {
  const clock = new FakeClock();
  const late = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  const caller = await (await late.createWorkspace()).client();
  const expireAll = () => late.app.get(ExpiryJob, { strict: false }).expireAll();
  const outcomes = new Set<string>();
  for (let round = 0; round < 40; round++) {
    const offer = await sent(caller, { validUntil: clock.in(0).slice(0, 10) });
    const who = visitor(late.baseUrl);
    const csrfToken = await who.csrfToken(pathOf(offer));
    const [answer] = await Promise.all([
      who.post(`${pathOf(offer)}/accept`, { csrfToken, name: 'Ana', consent: 'yes' }),
      // Close together at first, and far enough apart for a busy machine in the end.
      sleep(round < 30 ? round / 3 : (round - 29) * 20).then(() => {
        clock.advance(24 * 3600);
        return Promise.all([expireAll(), expireAll()]);
      }),
    ]);
    const { status } = (await caller.get(`/v1/proposals/${offer.id}`)).body;
    expect([status, answer.status]).toEqual(answer.status === 303 ? ['accepted', 303] : ['expired', 409]);
    const ends = (await typesOf(caller, offer.id)).filter((type) => /accepted|expired/.test(type));
    expect(ends).toEqual([`proposal.${status}`]);
    outcomes.add(status);
  }
  await late.stop();
  expect([...outcomes].sort()).toEqual(['accepted', 'expired']);
}, 60_000);
