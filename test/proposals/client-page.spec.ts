import { Clock } from '../../src/kernel/clock';
import { toUuid } from '../../src/kernel/ids';
import { ChangeWorkspace } from '../../src/modules/workspaces';
import { FakeClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { browserOf, newEmail, someone, workspaceOf } from '../support/people';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { CreateApiKey } from '../../src/modules/api-keys';
import { sql } from '../support/sql';
import { draft, eventsOf, expectRefusalAt, pathOf, sent, typesOf, visitor } from './support';

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace('Garden & Co');
  client = await workspace.client();
});

const read = async ({ id }: { id: string }) => (await client.get(`/v1/proposals/${id}`)).body;
const answer = (
  page: string,
  action: string,
  fields: Record<string, string> = {},
  who = visitor(gala.baseUrl),
) => who.submit(`${page}/${action}`, fields, { on: page });
const accept = (page: string, name = 'Ana Pérez') => answer(page, 'accept', { name, consent: 'yes' });

describe('the client’s page', () => {
  test('is each visitor’s own, and follows the workspace’s locale and the offer’s state', async () => {
    const offer = await sent(client, { validUntil: '2027-02-15' });
    const page = pathOf(offer);
    const [ana, ben] = [visitor(gala.baseUrl), visitor(gala.baseUrl)];
    expect(await ana.csrfToken(page)).not.toBe(await ben.csrfToken(page));
    expect((await ana.get(page)).text).toContain('€10,200.00');
    await sql(gala.databaseUrl, `UPDATE workspaces SET locale = 'de-DE' WHERE id = $1`, [
      toUuid(workspace.id),
    ]);
    const german = (await ana.get(page)).text;
    expect(german).toContain('10.200,00');
    expect(german).toContain('15. Februar 2027');
    await accept(page);
    expect((await ana.get(page)).text).not.toContain('15. Februar 2027');
  });

  test('shows all of the offer, may not be framed, cached or load anything from elsewhere', async () => {
    const offer = await sent(client, {
      notes: 'Bring cake',
      deposit: { percent: 30, dueDate: '2027-02-01' },
      validUntil: '2027-02-15',
    });
    const { status, text, headers } = await visitor(gala.baseUrl).get(pathOf(offer));
    expect(status).toBe(200);
    for (const part of [
      'Garden &amp; Co',
      'Wedding',
      'Proposal 1',
      'Dinner, three courses',
      '€85.00 per guest',
      '€10,200.00',
      '€14,245.00',
      '€4,273.50',
      '1 February 2027',
      'Valid until 15 February 2027',
      'Bring cake',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Test mode');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
    for (const [, url] of text.matchAll(/(?:src|href|action)="([^"]+)"/g))
      expect(url).toMatch(/^(#|\/(?!\/))/);
  });

  test('says of a trial that it is one', async () => {
    const { text } = await visitor(gala.baseUrl).get(pathOf(await sent(await workspace.client('test'))));
    expect(text).toContain('Test mode: this is not a real offer');
  });

  test('speaks the workspace’s language, and writes its numbers and days', async () => {
    const email = newEmail();
    const id = await workspaceOf(gala, email);
    const settings = { name: 'Saal', timeZone: 'Europe/Berlin', currency: 'EUR', locale: 'de-DE' };
    const actor = { type: 'user', id: (await someone(gala, email)).id, name: email, address: null } as const;
    await gala.app.get(ChangeWorkspace, { strict: false }).execute(id, actor, settings);
    const key = await gala.app
      .get(CreateApiKey, { strict: false })
      .byOperator(
        { workspaceId: id, mode: 'live' },
        { name: 'k', scopes: ['leads:write', 'proposals:write'], expiresAt: null },
      );
    const offer = await sent(new Client(gala.baseUrl, key.token), { validUntil: '2027-02-15' });
    const { text } = await visitor(gala.baseUrl).get(pathOf(offer));
    expect(text).toContain('<html lang="de"');
    for (const part of ['Gültig bis 15. Februar 2027', '14.245,00\u00a0€', 'pro Gast', 'Annehmen'])
      expect(text).toContain(part);
  });

  test('keeps lines without a group apart from the group above, with sums that add up', async () => {
    const line = (description: string, unitAmount: number, group: string | null) => ({
      ...{ description, unitAmount, group, unit: 'flat', taxRate: 0 },
    });
    const [tea, dinner, flowers] = [
      line('Tea', 1000, null),
      line('Dinner', 30_000, 'Catering'),
      line('Flowers', 500, null),
    ];
    const rows = async (...lineItems: object[]) => {
      const { text } = await visitor(gala.baseUrl).get(pathOf(await sent(client, { lineItems })));
      const body = /<table class="offer">.*?<\/thead>(.*?)<\/table>/s.exec(text)![1]!;
      return [...body.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
        row
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      );
    };
    expect(await rows(dinner, flowers)).toEqual([
      ...['Catering €300.00', 'Dinner 0% €300.00', 'Other €5.00', 'Flowers 0% €5.00'],
    ]);
    expect(await rows(tea, dinner, flowers)).toEqual([
      ...['Tea 0% €10.00', 'Flowers 0% €5.00', 'Catering €300.00', 'Dinner 0% €300.00'],
    ]);
    expect(await rows(tea, flowers)).toEqual(['Tea 0% €10.00', 'Flowers 0% €5.00']);
    await sql(gala.databaseUrl, `UPDATE workspaces SET locale = 'de-DE' WHERE id = $1`, [
      toUuid(workspace.id),
    ]);
    expect((await rows(dinner, flowers))[2]).toMatch(/^Weiteres 5,00/);
  });

  test('shows markup in any field as the text it is', async () => {
    const markup = '<img src=x onerror=alert(1)>"\'&';
    const offer = await sent(client, {
      title: markup,
      notes: markup,
      lineItems: [{ description: markup, unit: 'flat', unitAmount: 1 }],
    });
    expect((await answer(pathOf(offer), 'decline', { reason: markup, decline: 'yes' })).status).toBe(303);
    const { text } = await visitor(gala.baseUrl).get(pathOf(offer));
    expect(text).not.toContain('<img src=x');
    expect(text.split('&lt;img src=x').length).toBeGreaterThan(3);
  });

  test.each(['x', 'A'.repeat(43), 'A'.repeat(5000), '%00', '%ff', '..%2f'])(
    'isn’t there for %s',
    async (token) => {
      const { status, text } = await visitor(gala.baseUrl).get(`/proposals/${token}`);
      expect(status).toBe(404);
      expect(text).toContain('<html');
    },
  );

  test('isn’t there for a draft, and no longer once its link was replaced', async () => {
    expect((await draft(client)).publicUrl).toBeNull();
    const offer = await sent(client);
    const after = (await client.post(`/v1/proposals/${offer.id}/rotate-link`)).body;
    expect(after.publicUrl).not.toBe(offer.publicUrl);
    expect((await visitor(gala.baseUrl).get(pathOf(offer))).status).toBe(404);
    expect((await accept(pathOf(after))).status).toBe(303);
    expect(
      await answer(pathOf(offer), 'decline', { decline: 'yes' }, visitor(gala.baseUrl)).catch(
        () => 'no form',
      ),
    ).toBe('no form');
  });
});

describe('looking at it', () => {
  test('is told once of each visitor; the first makes it viewed', async () => {
    const offer = await sent(client);
    clock.advance(60);
    const [ana, ben] = [visitor(gala.baseUrl), visitor(gala.baseUrl)];
    for (const each of [ana, ana, ben, ana, ben]) expect((await each.get(pathOf(offer))).status).toBe(200);
    expect(await read(offer)).toMatchObject({ status: 'viewed', viewedAt: clock.in(0) });
    expect((await typesOf(client, offer.id)).slice(2)).toEqual(['proposal.viewed', 'proposal.viewed']);
    const [, , first] = await eventsOf(client, offer.id);
    expect(first.previous).toMatchObject({ status: 'sent', viewedAt: null });
  });

  test('without cookies is told once, too', async () => {
    const offer = await sent(client);
    for (let round = 0; round < 3; round++) {
      const headers = { 'User-Agent': 'Mozilla/5.0 (iPhone) Safari/605.1.15' };
      await visitor(gala.baseUrl, headers).get(pathOf(offer));
    }
    expect((await typesOf(client, offer.id)).slice(2)).toEqual(['proposal.viewed']);
  });

  test.each<[string, Record<string, string>]>([
    ['WhatsApp', { 'User-Agent': 'WhatsApp/2.23.20.0' }],
    ['Slack', { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
    [
      'Facebook',
      { 'User-Agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' },
    ],
    ['curl', { 'User-Agent': 'curl/8.5.0' }],
    ['nobody known', { 'User-Agent': '' }],
    ['a prefetching browser', { 'Sec-Purpose': 'prefetch;prerender' }],
  ])('by %s isn’t told', async (_, headers) => {
    const offer = await sent(client);
    expect((await visitor(gala.baseUrl, headers).get(pathOf(offer))).status).toBe(200);
    expect((await read(offer)).status).toBe('sent');
  });

  test('by someone of the workspace isn’t told, by someone of another one is', async () => {
    const offer = await sent(client);
    const { id, email: member } = await someone(gala);
    await sql(
      gala.databaseUrl,
      `INSERT INTO memberships VALUES ('${toUuid(workspace.id)}', '${toUuid(id)}', 'member')`,
    );
    const headers = {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    await (await browserOf(gala, member)).get(pathOf(offer), { headers });
    expect((await read(offer)).status).toBe('sent');
    await (await browserOf(gala, newEmail())).get(pathOf(offer), { headers });
    expect((await read(offer)).status).toBe('viewed');
  });

  test('by someone of the workspace shows a preview, which takes no answer', async () => {
    const offer = await sent(client);
    const member = await browserOf(gala, workspace.ownerEmail);
    const { text } = await member.get(pathOf(offer));
    expect(text).toContain('Preview: your visit isn’t counted.');
    expect(text).toMatch(/<fieldset class="client-answer" disabled>.*Accept<.*Decline<.*<\/fieldset>/s);
    for (const [action, fields] of [
      ['accept', { name: 'Ana', consent: 'yes' }],
      ['decline', { decline: 'yes' }],
      ['decline', {}],
    ] as const) {
      const refused = await answer(pathOf(offer), action, { ...fields }, member);
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('Preview: your visit isn’t counted.');
    }
    expect((await read(offer)).status).toBe('sent');
    for (const other of [visitor(gala.baseUrl), await browserOf(gala, newEmail())]) {
      const shown = (await other.get(pathOf(offer))).text;
      expect(shown).not.toContain('Preview');
      expect(shown).not.toContain('<fieldset');
    }
    expect((await accept(pathOf(offer))).status).toBe(303);
    const after = (await member.get(pathOf(offer))).text;
    expect(after).toContain('Preview');
    expect(after).not.toContain('<form');
  });
});

describe('accepting', () => {
  test('keeps who said yes, from where and when, moves the lead on and ends the offer', async () => {
    const offer = await sent(client);
    clock.advance(60);
    const who = visitor(gala.baseUrl);
    const { status, headers } = await answer(
      pathOf(offer),
      'accept',
      { name: 'Ana Pérez', consent: 'yes' },
      who,
    );
    expect({ status, location: headers.location }).toEqual({ status: 303, location: pathOf(offer) });
    const after = await read(offer);
    // It was viewed at that moment, and nothing that follows bears the same time.
    expect(after).toMatchObject({ status: 'accepted', acceptedAt: clock.in(0.001), version: 1 });
    expect(after.acceptance).toEqual({
      name: 'Ana Pérez',
      address: '127.0.0.1',
      userAgent: expect.stringContaining('Firefox'),
    });
    expect((await client.get(`/v1/leads/${offer.leadId}`)).body.stage).toBe('confirmed');
    expect((await who.get(pathOf(offer))).text).toContain('Accepted by Ana Pérez on 15 January 2027');
    expect((await typesOf(client, offer.id)).slice(-1)).toEqual(['proposal.accepted']);
    const again = await accept(pathOf(after), 'Eva');
    expect(again).toMatchObject({ status: 409, text: expect.stringContaining('Accepted by Ana Pérez') });
    expect(again.text).not.toContain('/accept#accept"');
    expect(await read(offer)).toEqual(after);
  });

  test('agrees on that version: no other one takes its place, drafted before or after', async () => {
    const offer = await sent(client);
    const revision = (await client.post(`/v1/proposals/${offer.id}/revise`)).body;
    expect((await accept(pathOf(offer))).status).toBe(303);
    expectInvalid(await client.post(`/v1/proposals/${revision.id}/send`), 'status');
    expect(await read(revision)).toEqual(revision);
    expect((await read(offer)).status).toBe('accepted');
    await client.delete(`/v1/proposals/${revision.id}`);
    expectInvalid(await client.post(`/v1/proposals/${offer.id}/revise`), 'status');
  });

  test.each<[string, Record<string, string>]>([
    ['name', { consent: 'yes' }],
    ['name', { name: '  ', consent: 'yes' }],
    ['name', { name: 'x'.repeat(201), consent: 'yes' }],
    ['consent', { name: 'Ana' }],
    ['consent', { name: 'Ana', consent: 'no' }],
  ])('without %s changes nothing and says what is missing', async (field, fields) => {
    const offer = await sent(client);
    const { status, text } = await answer(pathOf(offer), 'accept', fields);
    expect(status).toBe(422);
    expect(text).toContain(`id="${field}-problem"`);
    expectRefusalAt(text, 'accept', '<section class="section client-accept" id="accept">');
    expect((await read(offer)).status).not.toBe('accepted');
  });

  test('without a name says nothing of a form that the page no longer has', async () => {
    const offer = await sent(client);
    await client.post(`/v1/proposals/${offer.id}/withdraw`);
    const { status, text } = await answer(pathOf(offer), 'accept', { consent: 'yes' });
    expect(status).toBe(422);
    expect(text).toContain('This proposal was withdrawn or replaced');
    expect(text).not.toContain('role="alert"');
  });

  test('after the last day is too late, also before anything has noticed', async () => {
    const offer = await sent(client, { validUntil: '2027-01-20' });
    const who = visitor(gala.baseUrl);
    const token = await who.csrfToken(pathOf(offer));
    clock.advance(10 * 24 * 3600);
    const late = await who.post(`${pathOf(offer)}/accept`, { csrfToken: token, name: 'Ana', consent: 'yes' });
    expect(late.status).toBe(409);
    expect(late.text).toContain('This proposal was already answered');
    expect((await read(offer)).status).toBe('expired');
    expect((await typesOf(client, offer.id)).slice(-1)).toEqual(['proposal.expired']);
  });

  test('isn’t looked at any more, either', async () => {
    const offer = await sent(client, { validUntil: clock.in(0).slice(0, 10) });
    clock.advance(10 * 24 * 3600);
    expect((await visitor(gala.baseUrl).get(pathOf(offer))).text).toContain('was valid until');
    expect((await read(offer)).status).toBe('sent');
  });

  test('needs the form that this browser was shown', async () => {
    const offer = await sent(client);
    const path = `${pathOf(offer)}/accept`;
    const fields = { name: 'Ana', consent: 'yes' };
    const mallory = visitor(gala.baseUrl);
    const foreign = await visitor(gala.baseUrl).csrfToken(pathOf(offer));
    await mallory.get(pathOf(offer));
    expect((await mallory.post(path, fields)).status).toBe(403);
    expect((await mallory.post(path, { ...fields, csrfToken: foreign })).status).toBe(403);
    const own = await mallory.csrfToken(pathOf(offer));
    const headers = { Origin: 'https://evil.test' };
    expect((await mallory.post(path, { ...fields, csrfToken: own }, { headers })).status).toBe(403);
    expect((await read(offer)).status).toBe('viewed');
  });
});

test('declining takes a confirmation, keeps the reason, and leaves the lead where it is', async () => {
  const offer = await sent(client);
  const unsure = await answer(pathOf(offer), 'decline', { reason: 'Too far away' });
  expect(unsure.status).toBe(422);
  expectRefusalAt(unsure.text, 'decline', '<details class="section" id="decline-form" open>');
  const long = await answer(pathOf(offer), 'decline', { reason: 'x'.repeat(1001), decline: 'yes' });
  expect(long.status).toBe(422);
  expect(long.text).toContain('id="reason-problem"');
  expect((await read(offer)).status).not.toBe('declined');
  expect((await answer(pathOf(offer), 'decline', { reason: 'Too far away', decline: 'yes' })).status).toBe(
    303,
  );
  expect(await read(offer)).toMatchObject({ status: 'declined', declineReason: 'Too far away' });
  expect((await client.get(`/v1/leads/${offer.leadId}`)).body.stage).toBe('proposal_sent');
});
