import { Clock } from '../../src/kernel/clock';
import { createSpace } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf, newEmail } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf } from '../workspaces/people';
import { act, get, type HoldBody, place } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let member: PageClient;
let hall: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: new FakeClock() }] });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  hall = (await createSpace(client, { name: 'Hall' })).id;
  const email = newEmail();
  await memberOf(gala, workspace.id, email, 'member');
  member = await browserOf(gala, email);
});
afterAll(() => gala.stop());

/** Three weeks after the clock of the tests. */
const SOON = { startsAt: '2027-02-06T16:00:00.000Z', endsAt: '2027-02-06T23:00:00.000Z' };
const calendar = (mode = 'live') => `/settings/${workspace.id}/${mode}/calendar`;
const day = () => `${calendar()}/days/2027-06-12`;

/** The forms of a page, by their actions below the page's own address. */
function actionsOf(text: string, hold: HoldBody): string[] {
  return [...text.matchAll(/<(?:form action|a href)="([^"]*)"/g)]
    .map(([, action]) => action!.split(`/${hold.id}/`)[1])
    .filter((action) => action !== undefined);
}

function submit(hold: HoldBody, verb: string, fields: Record<string, string> = {}) {
  return member.submit(`${day()}/${hold.id}/${verb}`, fields, { on: day() });
}

describe('the month', () => {
  test('shows the rank of each hold and the deadlines of challenged ones, and leads to the queue of the day', async () => {
    const [, second] = [
      await place(client, { spaceId: hall }),
      await place(client, { spaceId: hall, title: 'Novak' }),
    ];
    await act(client, second, 'challenge');
    const { text } = await member.get(`${calendar()}?month=2027-06`);
    expect(text.indexOf('<bdi>1 · Pérez</bdi>')).toBeLessThan(text.indexOf('<bdi>2 · Novak</bdi>'));
    expect(text).toContain('<bdi>1 · Pérez</bdi>');
    expect(text).toContain(`<a href="${day()}"`);
    expect(text.match(/answer by /g)).toHaveLength(1);
    expect(text).toContain('<time datetime="2027-01-17T09:30:00.000Z">');
  });

  test('shows holds without a rank, and those that ended, as ever', async () => {
    const event = { type: 'hold', title: 'Unranked', startsAt: '2027-06-12', endsAt: '2027-06-13' };
    expect((await client.post('/v1/calendar-events', event)).status).toBe(201);
    await act(client, await place(client, { spaceId: hall }), 'release');
    await act(client, await place(client, { spaceId: hall, title: 'Khan' }), 'confirm');
    const { text } = await member.get(`${calendar()}?month=2027-06`);
    expect(text).toContain('<bdi>Unranked</bdi>');
    expect(text).toMatch(/<li class="chip hold[^>]*><a [^>]*><span class="what"><bdi>Unranked/);
    expect(text).toMatch(/<li class="chip event[^>]*><a [^>]*><span class="what"><b>[^<]*<\/b><bdi>Khan/);
    expect(text).not.toContain('Pérez');
  });
});

describe('the page of a day', () => {
  test('lists its queue with what can be done with each hold', async () => {
    const first = await place(client, { spaceId: hall });
    const second = await place(client, { spaceId: hall, title: 'Novak' });
    const before = (await member.get(day())).text;
    expect(before.indexOf('1 · Pérez')).toBeLessThan(before.indexOf('2 · Novak'));
    expect(actionsOf(before, first)).toEqual(['confirm', 'release', 'extend']);
    expect(actionsOf(before, second)).toEqual(['challenge', 'release', 'extend']);
    await act(client, second, 'challenge');
    expect(actionsOf((await member.get(day())).text, second)).toEqual(['withdraw', 'release', 'extend']);
    expect((await member.get(`${calendar()}/days/2027-06-14`)).text).toContain('Nothing planned');
  });

  test('shows one queue after another, whatever spaces its holds ask for', async () => {
    const [barn, attic] = [
      (await createSpace(client, { name: 'Barn' })).id,
      (await createSpace(client, { name: 'Attic' })).id,
    ];
    const queue = [
      { spaceIds: [hall] },
      { spaceIds: [hall, barn] },
      { spaceIds: [barn] },
      { spaceIds: [hall] },
    ];
    for (const [index, spaces] of queue.entries())
      await place(client, { ...spaces, title: `Client ${index}` });
    const days = { startsAt: '2027-06-11', endsAt: '2027-06-14' };
    await place(client, { spaceIds: [attic], title: 'Apart', ...days });
    const { text } = await member.get(day());
    const titles = [...text.matchAll(/<h2[^>]*>(\d · [^<]*)</g)].map(([, title]) => title);
    expect(titles).toEqual(['1 · Apart', '1 · Client 0', '2 · Client 1', '2 · Client 2', '3 · Client 3']);
    expect(text).toContain('<dt>From</dt><dd>11 Jun 2027</dd>');
    expect(text).toContain('<dt>To</dt><dd>13 Jun 2027</dd>');
  });

  test('confirms, releases, challenges and extends', async () => {
    const first = await place(client, { spaceId: hall });
    const second = await place(client, { spaceId: hall, title: 'Novak' });
    expect(outcome(await submit(second, 'challenge'))).toBe(`303 ${day()}?notice=challenged`);
    expect((await get(client, second)).challengeDeadline).not.toBeNull();
    expect(outcome(await submit(second, 'withdraw'))).toBe(`303 ${day()}?notice=withdrawn`);
    expect((await get(client, second)).challengeDeadline).toBeNull();
    expect(outcome(await submit(first, 'extend', { expiresAt: '2027-02-12' }))).toBe(
      `303 ${day()}?notice=extended`,
    );
    expect((await get(client, first)).expiresAt).toBe('2027-02-12T23:00:00.000Z');
    expect((await member.get(day())).text).toContain('value="2027-02-12"');
    expect(outcome(await submit(first, 'release'))).toBe(`303 ${day()}?notice=released`);
    expect(outcome(await submit(second, 'confirm'))).toBe(`303 ${day()}?notice=confirmed`);
    expect((await get(client, second)).status).toBe('confirmed');
  });

  test('tells what was refused, and changes nothing', async () => {
    const first = await place(client, { spaceId: hall });
    const second = await place(client, { spaceId: hall, title: 'Novak' });
    const refused = await submit(second, 'confirm');
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Others are ahead of it: challenge them');
    expect(refused.text).not.toContain('overHolds');
    const late = await submit(first, 'extend', { expiresAt: '2027-06-01' });
    expect(late.status).toBe(422);
    expect(late.text).toContain('value="2027-06-01"');
    expect(await get(client, first)).toEqual(first);
  });

  test('says what confirming and releasing mean before it does so', async () => {
    const first = await place(client, { spaceId: hall, group: 'ana' });
    const second = await place(client, { spaceId: hall, title: 'Novak' });
    const ask = (hold: HoldBody, verb: string) => member.get(`${day()}/${hold.id}/${verb}`);
    expect((await ask(first, 'confirm')).text).toMatch(
      /It becomes an event\. All other holds.* end, and so do the other holds of the group <bdi>ana<\/bdi>\./,
    );
    expect((await ask(second, 'release')).text).toContain('It loses its place');
    expect(await get(client, first)).toEqual(first);
    // A second one can't be confirmed, and one that has ended can't be released.
    await act(client, first, 'challenge');
    expect(outcome(await ask(second, 'confirm'))).toBe(`303 ${day()}`);
    await act(client, second, 'release');
    expect(outcome(await ask(second, 'release'))).toBe(`303 ${day()}`);
    expect((await ask({ ...first, id: 'x' }, 'release')).status).toBe(404);
  });

  test('extends a hold of some hours to its own day: it expires when its time begins', async () => {
    const hold = await place(client, { spaceId: hall, ...SOON, expiresAt: SOON.startsAt });
    const shown = (await member.get(`${calendar()}/days/${SOON.startsAt.slice(0, 10)}`)).text;
    const offered = /name="expiresAt"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="expiresAt"/.exec(shown)!;
    const expiresAt = offered[1] ?? offered[2]!;
    expect(expiresAt).toBe(SOON.startsAt.slice(0, 10));
    expect(outcome(await submit(hold, 'extend', { expiresAt }))).toBe(`303 ${day()}?notice=extended`);
    expect((await get(client, hold)).expiresAt).toBe(SOON.startsAt);
  });

  test('challenges until the start of holds that begin within the usual time', async () => {
    const tomorrow = { startsAt: '2027-01-16T16:00:00.000Z', endsAt: '2027-01-16T23:00:00.000Z' };
    await place(client, { spaceId: hall, ...tomorrow });
    const second = await place(client, { spaceId: hall, title: 'Novak', ...tomorrow });
    expect((await submit(second, 'challenge')).status).toBe(303);
    expect((await get(client, second)).challengeDeadline).toBe(tomorrow.startsAt);
  });

  test('tells who challenges a hold that is first by now to confirm it', async () => {
    const hold = await place(client, { spaceId: hall });
    const refused = await submit(hold, 'challenge');
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('obody is ahead of it: confirm it');
  });

  test('tells that somebody else ended the hold meanwhile', async () => {
    const first = await place(client, { spaceId: hall });
    await act(client, first, 'release');
    const refused = await submit(first, 'confirm');
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('The hold is released');
  });

  test('is not there for a day that doesn’t exist, and acts on no hold of another mode', async () => {
    for (const wrong of ['2027-02-30', 'x', '3000-01-01']) {
      expect((await member.get(`${calendar()}/days/${wrong}`)).status).toBe(404);
    }
    const hold = await place(client, { spaceId: hall });
    const elsewhere = `${calendar('test')}/days/2027-06-12`;
    expect((await member.submit(`${elsewhere}/${hold.id}/release`, {}, { on: elsewhere })).status).toBe(404);
    expect((await get(client, hold)).status).toBe('active');
  });
});

describe('the page of the policy', () => {
  const fields = {
    ...{ defaultDays: '7', maxTotalDays: '30', challengeHours: '24', winnerHours: '12' },
    ...{ remindHours: '0', maxRank: '3' },
  };
  const page = (mode = 'live') => `${calendar(mode)}/hold-policy`;

  test('changes the policy of a mode, and copies the sandbox’s to live', async () => {
    const owner = await workspace.browser();
    expect((await owner.get(calendar())).text).toContain(`href="${page()}"`);
    expect((await member.get(calendar())).text).not.toContain(`href="${page()}"`);
    expect(outcome(await owner.submit(page('test'), fields, { on: page('test') }))).toBe(
      `303 ${page('test')}?notice=saved`,
    );
    expect((await client.get('/v1/hold-policy')).body).toMatchObject({ defaultDays: 14, revision: 1 });
    expect(outcome(await owner.submit(`${page()}/copy`, {}, { on: page() }))).toBe(
      `303 ${page()}?notice=copied`,
    );
    const changed = {
      ...{ defaultDays: 7, maxTotalDays: 30, challengeHours: 24, winnerHours: 12 },
      ...{ remindHours: 0, maxRank: 3, releaseOnLost: false, revision: 2 },
    };
    expect((await client.get('/v1/hold-policy')).body).toEqual(changed);
    expect((await owner.submit(`${page()}/copy`, {}, { on: page() })).status).toBe(303);
    expect((await client.get('/v1/hold-policy')).body.revision).toBe(2);
    expect((await owner.get(page('test'))).text).not.toContain('hold-policy/copy');
  });

  test.each([
    ['maxRank', '21'],
    ['winnerHours', '1.5'],
    ['defaultDays', '31'],
  ])('refuses %s %s', async (field, value) => {
    const owner = await workspace.browser();
    const answer = await owner.submit(page(), { ...fields, [field]: value }, { on: page() });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(`value="${value}"`);
    expect((await client.get('/v1/hold-policy')).body.revision).toBe(1);
  });
});
