import { uploaded } from '../files/support';
import type { Answer, Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { type Fields, outcome, type PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { ValidationFailed } from '../../src/kernel/errors';
import { HouseRules } from '../policies/support';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf } from '../workspaces/people';
import { draft, LINES, send, typesOf } from './support';

const rules = new HouseRules();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let member: PageClient;
beforeAll(async () => {
  gala = await startGala({ extensions: [rules.extension] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  rules.forget();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  const email = `member.${workspace.id}@example.com`;
  await memberOf(gala, workspace.id, email, 'member');
  member = await browserOf(gala, email);
});

const list = () => `/settings/${workspace.id}/live/proposals`;
const editOf = ({ id }: { id: string }) => `${list()}/${id}/edit`;
const read = async ({ id }: { id: string }) => (await client.get(`/v1/proposals/${id}`)).body;

/** The fields of the form that a page has, with their values, as a browser would send them. */
function formIn({ text }: Answer): Record<string, string> {
  const decode = (value: string) =>
    value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  const main = text.slice(text.indexOf('<main'));
  const fields: Record<string, string> = {};
  for (const [tag] of main.matchAll(/<input [^>]*>/g)) {
    // Browsers send no box that isn't ticked.
    if (tag.includes('type="checkbox"') && !/ checked/.test(tag)) continue;
    const value = / value="([^"]*)"/.exec(tag)?.[1] ?? '';
    fields[/name="([^"]*)"/.exec(tag)![1]!] = decode(value);
  }
  for (const [, tag, value] of main.matchAll(/<textarea ([^>]*)>\n?([^<]*)</g)) {
    fields[/name="([^"]*)"/.exec(tag!)![1]!] = decode(value!).replaceAll('\n', '\r\n');
  }
  for (const [, tag, options] of main.matchAll(/<select ([^>]*)>(.*?)<\/select>/gs)) {
    const chosen = /<option selected value="([^"]*)"|<option value="([^"]*)" selected/.exec(options!);
    fields[/name="([^"]*)"/.exec(tag!)![1]!] = chosen?.[1] ?? chosen?.[2] ?? '';
  }
  return fields;
}

async function open(path: string): Promise<Record<string, string>> {
  const answer = await member.get(path);
  expect(answer.status).toBe(200);
  return formIn(answer);
}
const sendForm = (path: string, fields: Fields) => member.post(path, fields);

/** Opens the form of a draft, changes some fields, and saves. */
async function edit(proposal: { id: string }, changes: Fields): Promise<Answer> {
  return sendForm(editOf(proposal), { ...(await open(editOf(proposal))), ...changes });
}

const line = (index: number, fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`lineItems[${index}].${name}`, value]));

describe('a form that the release without presentation has shown', () => {
  const PRESENTATION = {
    message: 'Welcome',
    sections: [{ title: 'The garden', text: null, images: [] }],
    terms: 'Final numbers two weeks before.',
    contact: { name: 'Marta Gil', photo: null, phone: null, email: null },
  };
  /** Without the fields that the release doesn't know. */
  const old = (fields: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(fields).filter(
        ([name]) => !/^(message|sections.*|terms|coverImage|contact.*)$|group$/.test(name),
      ),
    );
  const grouped = LINES.map((each, index) => ({ ...each, group: ['Dinner', 'Rooms'][index] }));

  test('clears none of it when it is saved', async () => {
    const offer = await draft(client, { ...PRESENTATION, lineItems: grouped });
    const answer = await sendForm(editOf(offer), {
      ...old(await open(editOf(offer))),
      title: 'Garden wedding',
    });
    expect(outcome(answer)).toContain('notice=saved');
    const after = await read(offer);
    expect(after).toMatchObject({ ...PRESENTATION, title: 'Garden wedding', lineItems: offer.lineItems });
  });

  test('clears none of it when it is shown again first', async () => {
    const offer = await draft(client, { ...PRESENTATION, lineItems: grouped });
    const typed = {
      ...old(await open(editOf(offer))),
      ...line(0, { description: '', unitAmount: '', taxRate: '', quantity: '' }),
    };
    const again = formIn(await sendForm(`${editOf(offer)}/lines`, typed));
    await sendForm(editOf(offer), again);
    const { lineItems, ...after } = await read(offer);
    expect(after).toMatchObject(PRESENTATION);
    expect(lineItems.map(({ group }: any) => group)).toEqual(['Rooms']);
  });
});

test('a section is removed with its images', async () => {
  const [garden, hall] = [await uploaded(client), await uploaded(client)];
  const sections = [
    { title: 'The garden', text: 'Under old trees.', images: [garden.id] },
    { title: 'The hall', text: null, images: [hall.id] },
  ];
  const offer = await draft(client, { sections });
  expect((await edit(offer, { title: 'Same sections' })).status).toBe(303);
  expect((await read(offer)).sections).toEqual(sections);
  await edit(offer, { 'sections[0].remove': 'yes' });
  expect((await read(offer)).sections).toEqual([sections[1]]);
  expect((await client.delete(`/v1/files/${garden.id}`)).status).toBe(200);
});

test('a form can’t give a section more images than the API', async () => {
  const offer = await draft(client);
  const images = await Promise.all(Array.from({ length: 7 }, () => uploaded(client)));
  const ids = images.map(({ id }) => id as string);
  const refused = await edit(offer, { 'sections[0].images': ids.join(' ') });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('Images of section 1 must have at most 6 items');
  expect((await read(offer)).sections).toEqual([]);
  await edit(offer, { 'sections[0].images': [...ids.slice(1), ...ids.slice(1)].join(' ') });
  expect((await read(offer)).sections).toEqual([{ title: null, text: null, images: ids.slice(1) }]);
});

describe('a new proposal', () => {
  test('begins with the choice of a lead', async () => {
    const { id } = await createLead(client, { name: 'Lucía Fernández', guests: 80 });
    await createLead(client, { name: 'Ben', email: 'ben@example.com' });
    const all = (await member.get(`${list()}/new`)).text;
    expect(all).toContain('Ben');
    const found = (await member.get(`${list()}/new?q=luc%C3%ADa`)).text;
    expect(found).toContain(`href="${list()}/new?lead=${id}"`);
    expect(found).not.toContain('Ben');
    expect((await member.get(`${list()}/new?q=nobody`)).text).toContain('No leads found');
  });

  test('is written with lines, taxes, deposit and validity', async () => {
    const { id: leadId } = await createLead(client, { guests: 120 });
    const path = `${list()}/new?lead=${leadId}`;
    const answer = await sendForm(`${list()}/new`, {
      ...(await open(path)),
      ...{ title: 'Garden wedding', validUntil: '2099-06-01', notes: 'Two\r\nlines' },
      ...line(0, {
        description: 'Dinner\r\nthree courses',
        unit: 'per_guest',
        unitAmount: '85',
        taxRate: '10',
      }),
      ...line(1, {
        description: 'Hall',
        unit: 'per_hour',
        quantity: '2,5',
        unitAmount: '1000.00',
        taxRate: '21',
      }),
      ...line(2, { description: 'Early bird', unit: 'flat', unitAmount: '-500,50' }),
      ...{ deposit: 'percent', depositValue: '30', depositDueDate: '2099-02-01' },
    });
    const { data } = (await client.get('/v1/proposals')).body;
    expect(outcome(answer)).toBe(`303 ${list()}/${data[0].id}?notice=created`);
    expect(data[0]).toMatchObject({
      ...{ leadId, title: 'Garden wedding', status: 'draft', currency: 'EUR', notes: 'Two\nlines' },
      validUntil: '2099-06-01',
      lineItems: [
        {
          description: 'Dinner\nthree courses',
          quantity: 120,
          unitAmount: 8500,
          taxRate: 10,
          amount: 1_020_000,
        },
        { description: 'Hall', quantity: 2.5, unit: 'per_hour', unitAmount: 100_000, amount: 250_000 },
        { description: 'Early bird', quantity: 1, unit: 'flat', unitAmount: -50_050, taxRate: 0 },
      ],
      deposit: { percent: 30, dueDate: '2099-02-01' },
    });
  });

  test('may have amounts in another currency, in its units', async () => {
    const { id: leadId } = await createLead(client);
    const form = await open(`${list()}/new?lead=${leadId}`);
    const hall = line(0, { description: 'Hall', unit: 'flat', unitAmount: '1000.5' });
    const refused = await sendForm(`${list()}/new`, { ...form, title: 'Gala', currency: 'JPY', ...hall });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Price of line 1 must be an amount in JPY such as 125050');
    const fields = { ...formIn(refused), 'lineItems[0].unitAmount': '1000' };
    expect((await sendForm(`${list()}/new`, fields)).status).toBe(303);
    expect((await client.get('/v1/proposals')).body.data[0]).toMatchObject({ currency: 'JPY', total: 1000 });
  });

  test('needs a lead that exists and isn’t archived', async () => {
    for (const lead of ['lead_01h455vb4pex5vsknk084sn02q', 'nonsense', 'prop_01h455vb4pex5vsknk084sn02q']) {
      expect((await member.get(`${list()}/new?lead=${lead}`)).status).toBe(404);
      const answer = await member.submit(`${list()}/new`, { lead, title: 'x' }, { on: '/account' });
      expect(answer.status).toBe(404);
    }
    const { id } = await createLead(client);
    await client.delete(`/v1/leads/${id}`);
    const form = await open(`${list()}/new?lead=${id}`);
    const refused = await sendForm(`${list()}/new`, { ...form, title: 'Wedding' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('The lead is an archived lead; restore it first.');
  });
});

describe('a draft', () => {
  test('that is saved unchanged doesn’t change', async () => {
    const proposal = await draft(client, {
      notes: 'Two\nlines & "quotes" <b>',
      validUntil: '2099-01-01',
      deposit: { amount: 1050, dueDate: '2099-01-01' },
    });
    const answer = await edit(proposal, {});
    expect(outcome(answer)).toBe(`303 ${list()}/${proposal.id}?notice=saved`);
    expect(await read(proposal)).toEqual(proposal);
    expect(await typesOf(client, proposal.id)).toEqual(['proposal.created']);
  });

  test('takes changes, and lines that are cleared are gone', async () => {
    const proposal = await draft(client);
    const blank = line(0, { description: '', quantity: '', unitAmount: '', taxRate: '' });
    const added = line(2, { description: 'Band', unit: 'per_hour', quantity: '3', unitAmount: '200' });
    expect((await edit(proposal, { title: 'Smaller wedding', ...blank, ...added })).status).toBe(303);
    const { title, lineItems, revision } = await read(proposal);
    expect({ title, revision }).toEqual({ title: 'Smaller wedding', revision: 2 });
    expect(lineItems.map(({ description }: any) => description)).toEqual(['Hall', 'Band']);
  });

  test('keeps what was typed when another person saved first, and then replaces theirs', async () => {
    const proposal = await draft(client);
    const mine = {
      ...(await open(editOf(proposal))),
      title: 'Mine',
      'lineItems[0].description': 'My "dinner"',
    };
    await client.patch(`/v1/proposals/${proposal.id}`, { title: 'Theirs' });
    const refused = await sendForm(editOf(proposal), mine);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Somebody changed this draft meanwhile');
    expect((await read(proposal)).title).toBe('Theirs');
    const shown = formIn(refused);
    expect(shown).toMatchObject({ title: 'Mine', 'lineItems[0].description': 'My "dinner"', revision: '2' });
    expect((await sendForm(editOf(proposal), shown)).status).toBe(303);
    expect(await read(proposal)).toMatchObject({ title: 'Mine', revision: 3 });
  });

  test('that was sent meanwhile keeps what was typed', async () => {
    const proposal = await draft(client);
    const mine = { ...(await open(editOf(proposal))), title: 'Mine' };
    await send(client, proposal.id);
    const stale = await sendForm(editOf(proposal), mine);
    expect(stale.status).toBe(422);
    const refused = await sendForm(editOf(proposal), formIn(stale));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('This proposal is no longer a draft');
    expect(formIn(refused).title).toBe('Mine');
    expect((await read(proposal)).title).toBe('Wedding');
    expect(outcome(await member.get(editOf(proposal)))).toBe(`303 ${list()}/${proposal.id}`);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['no title', { title: ' ' }, ['Title must not be blank.']],
    ['a currency that isn’t one', { currency: 'EURO' }, ['Currency must be an ISO 4217 code such as EUR.']],
    ['a day that isn’t one', { validUntil: '2027-02-30' }, ['Valid until must be a day that exists']],
    [
      'thousands in groups, and a line without a description',
      line(0, { description: '', unitAmount: '1,250.50' }),
      ['Item of line 1 is required.', 'Price of line 1 must be an amount in EUR such as 1250.50'],
    ],
    ['too much', line(1, { unitAmount: '10000000000.01' }), ['Price of line 2 must be from -10000000000.00']],
    [
      'a tax of more than all',
      line(1, { taxRate: '101' }),
      ['Tax % of line 2 must be a number from 0 to 100'],
    ],
    [
      'four decimals',
      line(1, { quantity: '1.2345' }),
      ['Quantity of line 2 must be a number from 0 to 1000000'],
    ],
    ['a unit that isn’t one', line(1, { unit: 'yard' }), ['Unit of line 2 must be one of flat']],
    ['discounts that are too high', line(1, { unitAmount: '-99999' }), ['come to less than zero']],
    [
      'a deposit above the total',
      { deposit: 'amount', depositValue: '99999' },
      ['Deposit value must not be more than the total.'],
    ],
    ['a deposit without a value', { deposit: 'percent' }, ['Deposit value is required.']],
    ['a value without a deposit', { depositValue: '30' }, ['Choose whether the deposit is a percentage']],
    ['a kind of deposit that isn’t one', { deposit: 'half' }, ['Deposit must be one of percent, amount.']],
    ['what can’t be stored', { title: 'a\0' }, ['Title must not contain the character U+0000.']],
  ])('is refused with %s, and shown again as it was typed', async (_what, changes, sentences) => {
    const proposal = await draft(client);
    const typed = { ...(await open(editOf(proposal))), ...changes };
    const refused = await sendForm(editOf(proposal), typed);
    expect(refused.status).toBe(422);
    for (const sentence of sentences) expect(refused.text).toContain(sentence);
    const tokens = { csrfToken: expect.any(String), submission: expect.any(String) };
    // A list of choices can't show another one, nor a page what can't be stored.
    const unshown = Object.entries(changes).filter(([, value]) => /^(yard|half|a\0)$/.test(value));
    expect(formIn(refused)).toEqual({ ...typed, ...tokens, ...without(formIn(refused), unshown) });
    for (const [, id] of refused.text.matchAll(/href="#([^"]+)"/g))
      if (id !== 'main') expect(refused.text).toContain(` id="${id}"`);
    expect(await read(proposal)).toEqual(proposal);
  });

  test('is refused by a policy, which hears of the person', async () => {
    const proposal = await draft(client);
    const callers: unknown[] = [];
    rules.proposals.beforeChange = ({ caller }) => {
      callers.push(caller?.type);
      throw new ValidationFailed({ field: 'title', message: 'is too long for the menu' });
    };
    const refused = await edit(proposal, { title: 'A wedding' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Title is too long for the menu.');
    expect(callers).toEqual(['user']);
  });

  test('has room for a hundred lines, ten more at a time, and loses nothing on the way', async () => {
    const proposal = await draft(client);
    let form = await open(editOf(proposal));
    const count = () => Object.keys(form).filter((name) => name.endsWith('.unitAmount')).length;
    expect(count()).toBe(5);
    const { csrfToken, submission } = form;
    form = { ...form, ...line(3, { description: 'Band', unitAmount: 'what?' }), title: '' };
    for (let index = 0; index < 2; index++) {
      const answer = await sendForm(`${editOf(proposal)}/lines`, form);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('There’s a problem');
      form = { ...formIn(answer), csrfToken: csrfToken!, submission: submission! };
    }
    expect(count()).toBe(13);
    expect(form).toMatchObject({
      title: '',
      'lineItems[2].description': 'Band',
      'lineItems[2].unitAmount': 'what?',
    });
    const lines = Array.from({ length: 100 }, (_, index) =>
      line(index, {
        description: 'x'.repeat(40),
        quantity: '1',
        unit: 'flat',
        unitAmount: '1',
        taxRate: '10',
      }),
    );
    form = { ...form, title: 'Long', ...Object.assign({}, ...lines) };
    expect((await sendForm(editOf(proposal), form)).status).toBe(303);
    expect((await read(proposal)).lineItems).toHaveLength(100);
    const { text } = await member.get(editOf(proposal));
    expect(Buffer.byteLength(text)).toBeLessThan(100 * 1024);
    expect(text).not.toContain('lineItems[100]');
  });

  test('isn’t there in another workspace or mode', async () => {
    const proposal = await draft(client);
    for (const path of [
      editOf(proposal).replace('/live/', '/test/'),
      editOf({ id: 'prop_01h455vb4pex5vsknk084sn02q' }),
      editOf({ id: 'nonsense' }),
    ]) {
      expect((await member.get(path)).status).toBe(404);
      for (const action of ['', '/lines']) {
        const answer = await member.submit(path + action, { title: 'x' }, { on: '/account' });
        expect(answer.status).toBe(404);
      }
    }
  });
});

/** The shown values of the fields that can't be shown as they were typed. */
function without(shown: Record<string, string>, unshown: [string, string][]): Record<string, string> {
  return Object.fromEntries(unshown.map(([name]) => [name, shown[name]!]));
}
