import { newId } from '../../src/kernel/ids';
import { draft, LINES, sent } from '../proposals/support';
import { createSpace } from '../support/calendar';
import { addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { addReason, addStage } from '../support/stages';
import { startGala, type TestGala } from '../support/start-gala';

const OWNER = 'owner@example.com';

let gala: TestGala;
let client: Client;
let owner: PageClient;
let leads: string;
let elsewhere: string;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  const workspace = await gala.createWorkspace();
  client = await workspace.client('test');
  owner = await browserOf(gala, OWNER);
  leads = `/settings/${workspace.id}/test/leads`;
  elsewhere = `/settings/${(await gala.createWorkspace()).id}/test/leads`;
});
afterAll(() => gala.stop());

const get = async (lead: LeadBody): Promise<LeadBody> => (await client.get(`/v1/leads/${lead.id}`)).body;
const text = async (path: string) => (await owner.get(path)).text;
/** The names in the first column, in their order. */
const namesOn = async (path: string) =>
  [...(await text(path)).matchAll(/rowheader.*?<bdi>([^<]*)<\/bdi>/gs)].map(([, name]) => name);
const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** On the tenth of the month after the next. */
const at = (time: string) => {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 10));
  return `${month.toISOString().slice(0, 10)}T${time}`;
};
const named = (name: string, fields: Partial<LeadBody> = {}) =>
  createLead(client, { name, email: `${name.toLowerCase()}@example.com`, ...fields });

describe('the list', () => {
  test('filters by everything that it offers, alone and together', async () => {
    const { id } = await named('Ana', {
      guests: 120,
      eventDate: '2027-06-30',
      source: 'Fair',
      tags: ['vip'],
    });
    await named('Ben', { guests: 30, eventDate: '2027-07-01', stage: 'contacted' });
    await named('Cleo');
    expect(await namesOn(leads)).toEqual(['Cleo', 'Ben', 'Ana']);
    expect(await namesOn(`${leads}?q=an`)).toEqual(['Ana']);
    expect(await namesOn(`${leads}?stage=contacted`)).toEqual(['Ben']);
    expect(await namesOn(`${leads}?source=fair`)).toEqual(['Ana']);
    expect(await namesOn(`${leads}?tag=VIP`)).toEqual(['Ana']);
    expect(await namesOn(`${leads}?month=2027-06`)).toEqual(['Ana']);
    expect(await namesOn(`${leads}?guests=101-200`)).toEqual(['Ana']);
    expect(await namesOn(`${leads}?guests=1-50`)).toEqual(['Ben']);
    expect(await namesOn(`${leads}?guests=1-50&month=2027-06`)).toEqual([]);
    const { text: page } = await owner.get(`${leads}?owner=me`);
    expect(page).toContain('No leads match');
    const [, me] = /members\/(user_\w+)/.exec(await text(leads.replace(/test\/leads$/, 'members')))!;
    await client.patch(`/v1/leads/${id}`, { ownerId: me });
    expect(await namesOn(`${leads}?owner=me`)).toEqual(['Ana']);
    expect(await namesOn(`${leads}?owner=${me}`)).toEqual(['Ana']);
    expect(await namesOn(`${leads}?owner=none`)).toEqual(['Cleo', 'Ben']);
  });

  test('leaves out what an address asks for and it doesn’t know', async () => {
    await named('Ana');
    const odd = ['stage=nope', 'owner=x', 'month=2027-13', 'guests=7', 'sort=phone', 'q=%00', 'view=x&tag='];
    for (const query of odd) expect([query, await namesOn(`${leads}?${query}`)]).toEqual([query, ['Ana']]);
  });

  test('sorts by the columns, and counts the leads of each stage without archived ones', async () => {
    await named('Ben', { eventDate: '2027-07-01', stage: 'contacted' });
    await named('Ana', { eventDate: '2027-08-01' });
    const gone = await named('Cleo', { stage: 'contacted' });
    await client.delete(`/v1/leads/${gone.id}`);
    expect(await namesOn(`${leads}?sort=name`)).toEqual(['Ana', 'Ben']);
    expect(await namesOn(`${leads}?sort=-name`)).toEqual(['Ben', 'Ana']);
    expect(await namesOn(`${leads}?sort=eventDate`)).toEqual(['Ben', 'Ana']);
    expect(await namesOn(`${leads}?archived=true`)).toEqual(['Cleo']);
    expect(await text(leads)).toMatch(/Contacted<span class="count"> 1<\/span>/);
  });

  test('has pages that repeat and miss nothing', async () => {
    for (let index = 0; index < 30; index++) await named(`Lead${index}`);
    const first = await text(leads);
    const [, next] = /rel="next"[^>]*|href="([^"]*cursor=[^"]*)"/.exec(first)!;
    const names = [...(await namesOn(leads)), ...(await namesOn(next!.replaceAll('&amp;', '&')))];
    expect(new Set(names).size).toBe(30);
    expect(names).toHaveLength(30);
    expect(await namesOn(`${leads}?cursor=abc`)).toEqual(await namesOn(leads));
  });

  test('shows what the open and accepted proposals of each lead amount to', async () => {
    const ana = await named('Ana', { guests: 120 });
    const ben = await named('Ben', { guests: 120 });
    const revised = await sent(client, { leadId: ana.id });
    const { body: second } = await client.post(`/v1/proposals/${revised.id}/revise`);
    await client.patch(`/v1/proposals/${second.id}`, { lineItems: LINES.slice(1) });
    await client.post(`/v1/proposals/${second.id}/send`);
    const withdrawn = await sent(client, { leadId: ben.id });
    await client.post(`/v1/proposals/${withdrawn.id}/withdraw`);
    await draft(client, { leadId: ben.id });
    const { total, currency } = (await client.get(`/v1/proposals/${second.id}`)).body;
    const shown = new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(total / 100);
    const list = await text(leads);
    expect(list.split(shown)).toHaveLength(2);
    expect(list.indexOf('>Ana<')).toBeLessThan(list.indexOf(shown));
    expect(await text(`${leads}?view=board`)).toContain(shown);
  });

  test('moves a lead from its row, and comes back to the same view', async () => {
    const lead = await named('Ana');
    const fields = { lead: lead.id, stage: 'contacted', from: 'q=ana&sort=name' };
    expect(outcome(await owner.submit(`${leads}/move`, fields))).toBe(
      `303 ${leads}?sort=name&q=ana&notice=moved`,
    );
    expect(await get(lead)).toMatchObject({ stage: 'contacted' });
  });
});

describe('the board', () => {
  test('with many stages has fewer cards at each, and stays light', async () => {
    const stages = ['new_enquiry', 'contacted', 'visit_booked', 'proposal_sent', 'negotiation', 'confirmed'];
    for (let number = 0; number < 22; number++) {
      stages.push((await addStage(client, `stage_${number}`, { name: `Stage number ${number}` })).key);
    }
    for (const stage of stages) {
      const items = Array.from({ length: 25 }, (_, number) => ({
        name: `Alexandra Montgomery-Fernández ${number}`,
        email: `${stage}-${number}@example.com`,
        ...{ stage, guests: 120, eventDate: '2027-06-12' },
      }));
      const answer = await client.post('/v1/leads/bulk', { operation: 'create', items });
      expect(answer.status).toBe(200);
    }
    const board = await text(`${leads}?view=board`);
    const columns = board.match(/class="board-column"/g)!.length;
    expect(columns).toBe(30);
    expect(board.match(/data-card/g)).toHaveLength(28 * 6);
    expect(board).toContain('stage=stage_3">19 more<');
    expect(Buffer.byteLength(board)).toBeLessThan(100 * 1024);
  });

  test('shows 25 leads of each stage, the number of all, and where the others are', async () => {
    for (let index = 0; index < 26; index++) await named(`Lead${index}`);
    await named('Ben', { stage: 'contacted' });
    const board = await text(`${leads}?view=board`);
    expect(board.match(/data-card/g)).toHaveLength(26);
    expect(board).toContain('stage=new_enquiry">1 more<');
    expect(await text(`${leads}?view=board&q=ben`)).toMatch(/Contacted <span class="count">1</);
  });

  test('moves the selected cards; those that can’t move stay, and it says why', async () => {
    const [ana, ben] = [await named('Ana'), await named('Ben', { phone: '+34600123456' })];
    await addStage(client, 'called', { requiredFields: ['phone'] });
    const fields = { lead: [ana.id, ben.id], stage: 'called', from: 'view=board' };
    const refused = await owner.submit(`${leads}/move`, fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('1 lead stayed where they were. Phone is required at the stage called.');
    expect(refused.text).toContain('id="board"');
    expect((await get(ana)).stage).toBe('new_enquiry');
    expect((await get(ben)).stage).toBe('called');
  });

  test('says what is missing', async () => {
    const { id } = await named('Ana');
    const nothing = await owner.submit(`${leads}/move`, { stage: 'contacted', from: 'view=board' });
    expect(nothing.text).toContain('Select at least one lead.');
    const nowhere = await owner.submit(`${leads}/move`, { lead: id, stage: 'No such', from: '' });
    expect(nowhere.text).toContain('Choose a stage.');
    for (const stage of ['nope', 'constructor']) {
      expect((await owner.submit(`${leads}/move`, { lead: id, stage })).status).toBe(422);
    }
    expect((await owner.submit(`${leads}/move`, { lead: newId('lead'), stage: 'contacted' })).status).toBe(
      422,
    );
  });
});

describe('a lead’s page', () => {
  test('adds a lead by the API’s rules, and keeps what was typed', async () => {
    await addField(client, 'rooms', { type: 'integer' });
    const typed = { name: '<b>Ana</b>', email: 'nowhere', guests: '1.5', 'custom.rooms': 'three' };
    const refused = await owner.submit(leads, { ...typed, stage: 'new_enquiry' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="&lt;b>Ana&lt;/b>"');
    for (const label of ['Email must', 'Guests must', 'rooms must'])
      expect(refused.text).toContain(`>${label} be`);
    const right = {
      ...typed,
      email: 'ana@example.com',
      guests: '120',
      'custom.rooms': '3',
      tags: 'vip, garden',
    };
    const added = await owner.submit(leads, right);
    const [, id] = /leads\/(lead_\w+)\?notice=added/.exec(added.headers.location as string)!;
    expect((await client.get(`/v1/leads/${id}`)).body).toMatchObject({
      ...{ name: '<b>Ana</b>', guests: 120, tags: ['vip', 'garden'], custom: { rooms: 3 } },
    });
    const page = await text(`${leads}/${id}`);
    expect(page).toContain('&lt;b>Ana&lt;/b>');
    expect(page).not.toContain('<b>Ana');
  });

  test('of two people who edit at once, the second keeps what they typed and sees that the lead has changed', async () => {
    const lead = await named('Ana');
    const form = await text(`${leads}/${lead.id}/edit`);
    const [, seen] = /name="seen" value="([^"]*)"/.exec(form)!;
    await client.patch(`/v1/leads/${lead.id}`, { guests: 80 });
    const fields = { name: 'Ana María', email: 'ana@example.com', seen: seen!.replaceAll('&quot;', '"') };
    const refused = await owner.submit(`${leads}/${lead.id}/edit`, fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Somebody else has changed this lead');
    expect(refused.text).toContain('value="Ana María"');
    expect((await get(lead)).name).toBe('Ana');
    const [, now] = /name="seen" value="([^"]*)"/.exec(refused.text)!;
    const saved = { ...fields, seen: now!.replaceAll('&quot;', '"') };
    expect(outcome(await owner.submit(`${leads}/${lead.id}/edit`, saved))).toBe(
      `303 ${leads}/${lead.id}?notice=saved`,
    );
    expect((await get(lead)).name).toBe('Ana María');
  });

  test('a lost lead is reopened by its form, without its reason', async () => {
    const reason = await addReason(client, 'Over budget');
    const lead = await named('Ana', { stage: 'lost', lostReasonId: reason.id });
    expect(await text(`${leads}/${lead.id}`)).toContain('Over budget');
    const [, seen] = /name="seen" value="([^"]*)"/.exec(await text(`${leads}/${lead.id}/edit`))!;
    const fields = {
      email: lead.email,
      stage: 'contacted',
      lostReasonId: reason.id,
      seen: seen!.replaceAll('&quot;', '"'),
    };
    await owner.submit(`${leads}/${lead.id}/edit`, fields);
    expect(await get(lead)).toMatchObject({ stage: 'contacted', lostReasonId: null });
  });

  const seenIn = (html: string) => /name="seen" value="([^"]*)"/.exec(html)![1]!.replaceAll('&quot;', '"');

  test('a form with another mistake still belongs to the state that it has shown', async () => {
    const lead = await named('Ana');
    const edit = `${leads}/${lead.id}/edit`;
    const seen = seenIn(await text(edit));
    await client.patch(`/v1/leads/${lead.id}`, { guests: 80 });
    const fields = { name: 'Ana María', email: 'ana@example.com', seen };
    const mistaken = await owner.submit(edit, { ...fields, phone: 'none' });
    expect(seenIn(mistaken.text)).toBe(seen);
    expect((await owner.submit(edit, fields)).text).toContain('Somebody else has changed this lead');
    expect(await get(lead)).toMatchObject({ name: 'Ana', guests: 80 });
  });

  test('a form changes only what was changed in it', async () => {
    await addField(client, 'vip', { type: 'boolean' });
    await addField(client, 'story', { type: 'long_text' });
    const reason = await addReason(client, 'Over budget');
    const given = {
      ...{ tags: ['Smith, wedding', ' x '], lostNote: 'a\nb', custom: { vip: false, story: 'c\nd' } },
      ...{ stage: 'lost', lostReasonId: reason.id },
    };
    const lead = await named('Ana', given);
    await client.delete(`/v1/lost-reasons/${reason.id}`);
    const page = await text(`${leads}/${lead.id}/edit`);
    expect(page).toContain(`<option value="${reason.id}" selected>As it is</option>`);
    const fields = {
      ...{ name: 'Ana María', email: lead.email, stage: 'lost', tags: 'Smith, wedding,  x ' },
      ...{ lostReasonId: reason.id, lostNote: 'a\r\nb', 'custom.story': 'c\r\nd', seen: seenIn(page) },
    };
    await owner.submit(`${leads}/${lead.id}/edit`, fields);
    expect(await get(lead)).toMatchObject({ ...given, name: 'Ana María' });
  });

  test.each(['1,000', '1.000', '12.5', '1e3', ' 5'])('“%s” is no number of guests', async (guests) => {
    const refused = await owner.submit(leads, { email: 'ana@example.com', stage: 'new_enquiry', guests });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Guests must be an integer');
  });

  test('what was typed for a lead that somebody archived meanwhile is kept, and it says why it wasn’t taken', async () => {
    const lead = await named('Ana');
    await client.delete(`/v1/leads/${lead.id}`);
    const forms = {
      activities: { text: 'Typed.' },
      messages: { message: 'Typed.' },
      tasks: { title: 'Typed.' },
    };
    for (const [form, fields] of Object.entries(forms)) {
      const refused = await owner.submit(`${leads}/${lead.id}/${form}`, fields);
      expect([form, refused.status]).toEqual([form, 422]);
      expect(refused.text).toContain('Typed.');
      expect(refused.text).toMatch(/That wasn’t done<\/p>.*archived/s);
    }
  });

  test('moves, archives and restores it, and says why it can’t', async () => {
    const lead = await named('Ana');
    const page = `${leads}/${lead.id}`;
    expect(outcome(await owner.submit(`${page}/stage`, { stage: 'contacted' }))).toBe(
      `303 ${page}?notice=moved`,
    );
    await owner.submit(`${page}/archive`);
    expect((await get(lead)).archivedAt).not.toBeNull();
    const refused = await owner.submit(`${page}/stage`, { stage: 'lost' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('An archived lead can’t be changed');
    expect(await text(page)).not.toContain('Add a note');
    await owner.submit(`${page}/restore`);
    expect((await get(lead)).archivedAt).toBeNull();
  });

  test('takes notes and calls, tasks and messages, and shows what happened with who did it', async () => {
    const lead = await named('Ana', { phone: '+34600123456', source: 'fair' });
    const page = `${leads}/${lead.id}`;
    await owner.submit(`${page}/activities`, { text: 'Dogs & cats?\nTwo.', kind: 'call-in' });
    const empty = await owner.submit(`${page}/activities`, { text: ' ', kind: 'note' });
    expect(empty.status).toBe(422);
    expect(empty.text).toContain('Text must not be blank');
    expect((await owner.submit(`${page}/tasks`, { title: 'Menu', dueOn: '2027-02-30' })).status).toBe(422);
    await owner.submit(`${page}/tasks`, { title: 'Send the menu', dueOn: '2027-02-01' });
    await owner.submit(`${page}/messages`, { message: 'The garden is free.' });
    const { text: shown } = await owner.get(page);
    expect(shown).toContain('Call from the lead');
    expect(shown).toContain('Dogs &amp; cats?');
    expect(shown).toContain('The garden is free.');
    expect(shown).toContain('Lead created, from fair');
    expect(shown).toContain(OWNER);
    const [, task] = /tasks\/(task_\w+)\/complete/.exec(shown)!;
    await owner.submit(`${page}/tasks/${task}/complete`);
    expect((await client.get(`/v1/tasks/${task}`)).body).toMatchObject({ status: 'done' });
    expect(await text(page)).toContain('No open tasks');
  });

  test('books a visit and holds a date, by the rules of the calendar and the queue', async () => {
    const lead = await named('Ana', { guests: 80 });
    const page = `${leads}/${lead.id}`;
    expect(await text(page)).toContain('Add a space with the API first');
    const { id: spaceId } = await createSpace(client);
    for (const startsAt of ['', 'tomorrow', '2099-02-30T10:00']) {
      expect((await owner.submit(`${page}/visits`, { startsAt })).status).toBe(422);
    }
    await owner.submit(`${page}/visits`, { startsAt: at('10:00'), spaceId });
    expect(await get(lead)).toMatchObject({ stage: 'visit_booked' });
    expect((await owner.submit(`${page}/holds`, { startsAt: '2020-01-01', spaceId })).status).toBe(422);
    const day = at('10:00').slice(0, 8) + '20';
    for (let count = 0; count < 2; count++) await owner.submit(`${page}/holds`, { startsAt: day, spaceId });
    const shown = await text(page);
    expect(shown).toContain('<strong>option 1</strong>');
    expect(shown).toContain('<strong>option 2</strong>');
    expect(shown).toContain('>Visit</span>');
    const { data } = (await client.get(`/v1/holds?leadId=${lead.id}`)).body;
    expect(data).toMatchObject([
      { title: 'Ana', guests: 80 },
      { title: 'Ana', guests: 80 },
    ]);
  });

  test('says why no message can be sent', async () => {
    const lead = await named('Ana');
    expect(await text(`${leads}/${lead.id}`)).toContain('No message can be sent now: the lead has no phone');
    const refused = await owner.submit(`${leads}/${lead.id}/messages`, { message: 'Hello' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Hello</textarea>');
  });

  test('has a history of any length in pages', async () => {
    const lead = await named('Ana');
    for (let index = 0; index < 26; index++) {
      await client.post(`/v1/leads/${lead.id}/activities`, { type: 'note', text: `Note ${index}.` });
    }
    const first = await text(`${leads}/${lead.id}`);
    expect(first).not.toContain('Note 0.');
    const [, earlier] = /href="([^"]*before=[^"]*)"/.exec(first)!;
    expect(await text(earlier!)).toContain('Note 0.');
    expect(await text(`${leads}/${lead.id}?before=abc`)).toContain('Note 25.');
  });

  test('belongs to its workspace and mode alone', async () => {
    const lead = await named('Ana');
    for (const area of [elsewhere, leads.replace('/test/', '/live/')]) {
      expect((await owner.get(`${area}/${lead.id}`)).status).toBe(404);
      expect((await owner.submit(`${area}/${lead.id}/stage`, { stage: 'lost' })).status).toBe(404);
      expect((await owner.submit(`${area}/${lead.id}/activities`, { text: 'x' })).status).toBe(404);
      expect((await owner.submit(`${area}/move`, { lead: lead.id, stage: 'lost' })).status).toBe(422);
    }
    expect((await owner.get(`${leads}/lead_nope`)).status).toBe(404);
    expect((await get(lead)).stage).toBe('new_enquiry');
  });
});

const area = () => leads.replace('/test/leads', '');

test('the first page of a workspace shows the newest leads, the visitor’s tasks and what is planned today', async () => {
  expect(await text(area())).toContain('No leads yet');
  const { id: leadId } = await named('Ana');
  const gone = await named('Ben');
  await client.delete(`/v1/leads/${gone.id}`);
  const [, assigneeId] = /members\/(user_\w+)/.exec(await text(`${area()}/members`))!;
  await client.post('/v1/tasks', { title: 'Send the menu', leadId, assigneeId });
  await client.post('/v1/tasks', { title: 'Somebody else’s' });
  const today = new Date().toISOString().slice(0, 10);
  await client.post('/v1/calendar-events', {
    type: 'event',
    title: 'Gala dinner',
    startsAt: today,
    endsAt: dayAfter(today),
  });
  const page = await text(area());
  expect(page).toContain(`href="${leads}/${leadId}"><bdi>Send the menu</bdi>`);
  expect(page).toContain(`href="${leads}/${leadId}"><bdi>Ana</bdi>`);
  expect(page).not.toContain('<bdi>Ben</bdi>');
  expect(page).not.toContain('Somebody else');
  expect(page).toContain('New in 7 days</dt><dd>2<');
  expect(page).toContain('<bdi>Gala dinner</bdi>');
  expect(page).toContain('Test mode: sandbox data.');
});

describe('the mode', () => {
  test('links lead to test mode until there is live data, and then to the mode that was visited last', async () => {
    const fresh = await browserOf(gala, OWNER);
    expect((await fresh.get(`${area()}/members`)).text).toContain(`href="${leads}"`);
    await fresh.get(`${area()}/live/leads`);
    expect((await fresh.get(`${area()}/members`)).text).toContain(`href="${area()}/live/proposals"`);
  });

  test('a workspace with live leads begins in live mode', async () => {
    const workspace = await gala.createWorkspace();
    await createLead(await workspace.client('live'));
    const fresh = await browserOf(gala, OWNER);
    const { text: page } = await fresh.get(`/settings/${workspace.id}/members`);
    expect(page).toContain(`href="/settings/${workspace.id}/live/proposals"`);
  });
});
