import { ValidationFailed } from '../../src/kernel/errors';
import type { ProposalChange } from '../../src/modules/proposals';
import { HouseRules } from '../policies/support';
import type { Answer, Client } from '../support/http-client';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf } from '../workspaces/people';
import { draft, eventsOf, pathOf, sent, typesOf, visitor } from './support';

const rules = new HouseRules();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let member: PageClient;
let memberId: string;
beforeAll(async () => {
  gala = await startGala({ extensions: [rules.extension] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  rules.forget();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  const email = `member.${workspace.id}@example.com`;
  memberId = (await memberOf(gala, workspace.id, email, 'member')).id;
  member = await browserOf(gala, email);
});

const list = () => `/settings/${workspace.id}/live/proposals`;
const pageOf = ({ id }: { id: string }, action = '') => `${list()}/${id}${action && `/${action}`}`;
const read = async ({ id }: { id: string }) => (await client.get(`/v1/proposals/${id}`)).body;
/** The text of a page without its tags. */
const textOf = ({ text }: Answer) => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const show = async (proposal: { id: string }) => member.get(pageOf(proposal));

/** Presses the button of an action, on the page that has it. */
async function act(proposal: any, action: string, fields: Record<string, string> = {}): Promise<Answer> {
  return member.submit(pageOf(proposal, action), fields, { on: pageOf(proposal) });
}
const sendDraft = (proposal: any) => act(proposal, 'send', { revision: String(proposal.revision) });

function accept(offer: any): Promise<Answer> {
  const fields = { name: 'Ana <b>Pérez', consent: 'yes' };
  return visitor(gala.baseUrl).submit(`${pathOf(offer)}/accept`, fields, { on: pathOf(offer) });
}

describe('a proposal’s page', () => {
  test('shows facts, lines, taxes and sums', async () => {
    const proposal = await draft(client, {
      notes: 'Final numbers\nby 1 June',
      validUntil: '2099-06-01',
      deposit: { percent: 30, dueDate: '2099-02-01' },
    });
    const answer = await show(proposal);
    expect(answer.status).toBe(200);
    for (const part of [
      ...['Wedding', 'Proposal 1', 'ana@example.com', 'Draft', '1 June 2099', 'Final numbers'],
      ...['Dinner, three courses', '120', '€85.00 per guest', '10%', '€10,200.00'],
      ...[
        'Subtotal €12,700.00',
        'Tax €1,545.00',
        'Total €14,245.00',
        'Deposit (due on 1 February 2099) €4,273.50',
      ],
    ])
      expect(textOf(answer)).toContain(part);
    expect(answer.text).toContain(`href="/settings/${workspace.id}/live/leads/${proposal.leadId}"`);
  });

  test('shows who accepted, when and from where', async () => {
    const offer = await sent(client);
    await accept(offer);
    const answer = await show(offer);
    const { acceptance } = await read(offer);
    expect(answer.text).toContain('Ana &lt;b>Pérez');
    for (const part of ['Accepted', acceptance.address, acceptance.userAgent])
      expect(textOf(answer)).toContain(part);
    expect(answer.text).not.toContain('/withdraw"');
    expect(answer.text).not.toContain('/revise"');
  });

  test.each([
    ['Too far <away>', 'Too far &lt;away>'],
    ['', 'The client gave no reason.'],
  ])('shows why the client declined: "%s"', async (reason, text) => {
    const offer = await sent(client);
    const fields = { reason, decline: 'yes' };
    await visitor(gala.baseUrl).submit(`${pathOf(offer)}/decline`, fields, { on: pathOf(offer) });
    expect((await show(offer)).text).toContain(text);
  });

  test('has the link for the client while the proposal is open, and leads to the preview', async () => {
    const offer = await sent(client);
    const { text } = await show(offer);
    expect(text).toMatch(
      new RegExp(`<code id="([^"]*)"[^>]*>${offer.publicUrl}</code><button[^>]*data-copy="\\1"`),
    );
    expect(text).toContain(`href="${pathOf(offer)}"`);
    await act(offer, 'withdraw');
    expect((await show(offer)).text).not.toContain('data-copy');
  });

  test('lists every version, the newest first', async () => {
    const offer = await sent(client);
    const { body: second } = await client.post(`/v1/proposals/${offer.id}/revise`);
    const { text } = await show(second);
    const links = [...text.matchAll(/href="([^"]*)"[^>]*>Version (\d)/g)].map(([, href, version]) => [
      href,
      version,
    ]);
    expect(links).toEqual([
      [pageOf(second), '2'],
      [pageOf(offer), '1'],
    ]);
  });

  test.each(['prop_01h455vb4pex5vsknk084sn02q', 'nonsense', 'lead_01h455vb4pex5vsknk084sn02q', '%00'])(
    'isn’t there for %s',
    async (id) => {
      expect((await member.get(pageOf({ id }))).status).toBe(404);
      expect((await member.submit(pageOf({ id }, 'send'), {}, { on: '/account' })).status).toBe(404);
    },
  );

  test('isn’t there in another workspace or mode', async () => {
    const proposal = await draft(client);
    const other = await gala.createWorkspace();
    const email = `stranger.${other.id}@example.com`;
    await memberOf(gala, other.id, email, 'admin');
    const stranger = await browserOf(gala, email);
    const elsewhere = `/settings/${other.id}/live/proposals/${proposal.id}`;
    const inTest = pageOf(proposal).replace('/live/', '/test/');
    for (const [browser, path] of [
      [stranger, elsewhere],
      [stranger, pageOf(proposal)],
      [member, inTest],
    ] as const) {
      expect((await browser.get(path)).status).toBe(404);
      const answer = await browser.submit(`${path}/archive`, {}, { on: '/account' });
      expect(answer.status).toBe(404);
    }
    expect((await read(proposal)).archivedAt).toBeNull();
  });
});

describe('actions', () => {
  test('send: opens the client’s page, moves the lead on, and names the person in its events', async () => {
    const proposal = await draft(client);
    const answer = await sendDraft(proposal);
    expect(outcome(answer)).toBe(`303 ${pageOf(proposal)}?notice=sent`);
    expect(await read(proposal)).toMatchObject({ status: 'sent', publicUrl: expect.any(String) });
    expect((await client.get(`/v1/leads/${proposal.leadId}`)).body.stage).toBe('proposal_sent');
    const [, event] = await eventsOf(client, proposal.id);
    expect(event).toMatchObject({ type: 'proposal.sent', cause: { type: 'user', id: memberId } });
  });

  test('send: what was changed meanwhile is shown first', async () => {
    const proposal = await draft(client);
    await client.patch(`/v1/proposals/${proposal.id}`, { title: 'Dearer wedding' });
    for (const fields of [{ revision: '1' }, { revision: '' }, {}, { revision: '"*' }]) {
      const answer = await act(proposal, 'send', fields as Record<string, string>);
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('Somebody changed this proposal');
      expect(answer.text).toContain('Dearer wedding');
      expect(answer.text).toContain('name="revision" value="2"');
    }
    expect((await read(proposal)).status).toBe('draft');
  });

  test.each([
    [{ lineItems: [] }, 'The lines must hold at least one line before it is sent.'],
    [{ validUntil: '2020-01-01' }, 'The last day of validity must not be in the past when it is sent.'],
  ])('send: %j is refused with the reason', async (fields, reason) => {
    const proposal = await draft(client, fields);
    const answer = await sendDraft(proposal);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(reason);
    expect(await typesOf(client, proposal.id)).toEqual(['proposal.created']);
  });

  test('revise: makes the next version, and leads to its form', async () => {
    const offer = await sent(client);
    const answer = await act(offer, 'revise');
    const { body } = await client.get('/v1/proposals?status=draft');
    expect(outcome(answer)).toBe(`303 ${pageOf(body.data[0], 'edit')}`);
    expect(body.data[0]).toMatchObject({ version: 2, previousVersionId: offer.id });
    const again = await act(offer, 'revise');
    expect(again.status).toBe(422);
    expect(again.text).toContain('This version is not the latest: revise that one.');
  });

  test('withdraw: asks first, then ends the offer', async () => {
    const offer = await sent(client);
    const question = await member.get(pageOf(offer, 'withdraw'));
    expect(question.status).toBe(200);
    expect(question.text).toContain('Withdraw the proposal?');
    expect((await read(offer)).status).toBe('sent');
    expect(outcome(await act(offer, 'withdraw'))).toBe(`303 ${pageOf(offer)}?notice=withdrawn`);
    expect((await read(offer)).status).toBe('withdrawn');
  });

  test('withdraw: is refused once the client accepted', async () => {
    const offer = await sent(client);
    await accept(offer);
    const answer = await act(offer, 'withdraw');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('It is accepted, and only what was sent');
    expect((await read(offer)).status).toBe('accepted');
  });

  test('archive and restore: the list leaves it out and has it again', async () => {
    const offer = await sent(client);
    expect((await member.get(pageOf(offer, 'archive'))).text).toContain('archiving withdraws it for good');
    expect(outcome(await act(offer, 'archive'))).toBe(`303 ${list()}?notice=archived`);
    expect((await member.get(list())).text).not.toContain(offer.id);
    const { text } = await show(offer);
    expect(text).toContain('Archived');
    expect(text).not.toContain('/archive"');
    expect(outcome(await act(offer, 'restore'))).toBe(`303 ${pageOf(offer)}?notice=restored`);
    expect((await member.get(list())).text).toContain(offer.id);
  });

  test.each(['send', 'revise'])('%s: not while it is archived', async (action) => {
    const proposal = await draft(client);
    await client.delete(`/v1/proposals/${proposal.id}`);
    const { revision } = await read(proposal);
    const answer = await act(proposal, action, { revision: String(revision) });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('An archived proposal can’t be changed, sent or revised');
  });

  test('a policy hears of the person, and its refusal is shown', async () => {
    const refused: ProposalChange[] = [];
    const proposal = await draft(client);
    const offer = await sent(client);
    rules.proposals.beforeChange = (change) => {
      refused.push(change);
      throw new ValidationFailed({ field: 'venue', message: 'is <closed>' });
    };
    for (const answer of [
      await sendDraft(proposal),
      await act(offer, 'withdraw'),
      await act(offer, 'archive'),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('Venue is &lt;closed>.');
    }
    expect(refused).toMatchObject(
      ['send', 'withdraw', 'archive'].map((action) => ({ action, caller: { type: 'user', id: memberId } })),
    );
    expect((await read(proposal)).status).toBe('draft');
    expect((await read(offer)).status).toBe('sent');
  });

  test('a form that is sent twice acts once', async () => {
    const offer = await sent(client);
    const { text } = await show(offer);
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)![1]!;
    const tokens = { csrfToken: field('csrfToken'), submission: field('submission') };
    const twice = [
      await member.post(pageOf(offer, 'revise'), tokens),
      await member.post(pageOf(offer, 'revise'), tokens),
    ];
    expect(outcome(twice[1]!)).toBe(outcome(twice[0]!));
    expect((await client.get('/v1/proposals')).body.data).toHaveLength(2);
  });
});

describe('a lead’s page', () => {
  const leadPage = (leadId: string) => `/settings/${workspace.id}/live/leads/${leadId}`;

  test('has its proposals, and the way to a new one', async () => {
    const offer = await sent(client);
    await draft(client, { title: 'For somebody else' });
    const { status, text } = await member.get(leadPage(offer.leadId));
    expect(status).toBe(200);
    expect(text).toMatch(
      new RegExp(`href="${pageOf(offer)}">1 · <bdi>Wedding</bdi></a>.*Sent.*€14,245.00`, 's'),
    );
    expect(text).not.toContain('For somebody else');
    expect(text).toContain(`href="${list()}/new?lead=${offer.leadId}"`);
    expect(text).not.toContain('All proposals');
  });

  test('shows ten of them, and leads to the rest', async () => {
    const { leadId } = await draft(client);
    for (let count = 0; count < 10; count++) await client.post('/v1/proposals', { leadId, title: 'Another' });
    const { text } = await member.get(leadPage(leadId));
    expect(text.match(/<bdi>Another<\/bdi>/g)).toHaveLength(10);
    expect(text).not.toContain('<bdi>Wedding</bdi>');
    expect(text).toContain(`href="${list()}?lead=${leadId}">All proposals`);
    expect((await member.get(`${list()}?lead=${leadId}`)).text).toContain('<bdi>Wedding</bdi>');
  });
});
