import { Clock } from '../../src/kernel/clock';
import { createSpace, type EventBody, plan, type SpaceBody } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf, newEmail } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { act, place } from '../holds/support';
import { memberOf } from '../workspaces/people';

const NIGHT = { startsAt: '2027-06-12T16:00:00.000Z', endsAt: '2027-06-13T00:00:00.000Z' };
const FIELDS = { type: 'event', title: 'Wedding of Lucía', startDay: '2027-06-12' };

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let member: PageClient;
let calendar: string;
let hall: SpaceBody;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: new FakeClock() }] });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  hall = await createSpace(client, { name: 'Great Hall' });
  calendar = `/settings/${workspace.id}/live/calendar`;
  const email = newEmail();
  await memberOf(gala, workspace.id, email, 'member');
  member = await browserOf(gala, email);
});
afterAll(() => gala.stop());

const pageOf = ({ id }: Pick<EventBody, 'id'>) => `${calendar}/events/${id}`;
const text = async (path: string) => (await member.get(path)).text;
const get = async ({ id }: Pick<EventBody, 'id'>): Promise<EventBody> =>
  (await client.get(`/v1/calendar-events/${id}`)).body;
const add = (fields: Record<string, string | string[]>) =>
  member.submit(`${calendar}/events`, { ...FIELDS, ...fields }, { on: `${calendar}/events/new` });

/** The facts of an entry's page, by their terms. */
async function factsOf(path: string): Promise<Record<string, string>> {
  const pairs = (await text(path)).matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g);
  return Object.fromEntries(
    [...pairs].map(([, term, details]) => [term, details!.replace(/<[^>]*>/g, '').trim()]),
  );
}

/** Sends the form of an entry with some of its fields changed. */
async function edit(event: EventBody, changes: Record<string, string | string[]>) {
  const path = `${pageOf(event)}/edit`;
  const form = await text(path);
  const value = (name: string) => new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(form)?.[1] ?? '';
  const names = ['title', 'startDay', 'startTime', 'endDay', 'endTime', 'guests', 'lead', 'location', 'seen'];
  const values = Object.fromEntries(names.map((name) => [name, value(name).replaceAll('&quot;', '"')]));
  const spaceIds = [...form.matchAll(/name="spaceIds" value="([^"]*)" checked/g)].map(([, id]) => id!);
  const [, type] = /<option value="(\w+)" selected/.exec(form)!;
  const [, description] = /<textarea[^>]*>\n?([^<]*)</.exec(form)!;
  return member.submit(
    path,
    { ...values, type: type!, description: description!, spaceIds, ...changes },
    { on: path },
  );
}

describe('adding', () => {
  test('begins with the day and the type of the address', async () => {
    const form = await text(`${calendar}/events/new?type=visit&day=2027-06-12`);
    expect(form).toContain('<h1>Plan a visit</h1>');
    expect(form).toContain('<option value="visit" selected>');
    expect(form).toContain('value="2027-06-12"');
    expect(await text(`${calendar}/events/new?type=x&day=2027-02-30`)).toContain('<h1>Add an event</h1>');
  });

  test('plans an event by the workspace’s clock, with its spaces and lead', async () => {
    const lead = await createLead(client, { name: 'Lucía Fernández', email: 'lucia@example.com' });
    const done = await add({
      ...{
        startTime: '18:00',
        endTime: '02:00',
        spaceIds: hall.id,
        guests: '120',
        lead: 'Lucia@example.com',
      },
      ...{ location: 'Gate 2', description: 'Dinner at eight.\r\nDogs are welcome.' },
    });
    expect(outcome(done)).toMatch(/^303 .*\?notice=added$/);
    const path = (done.headers.location as string).split('?')[0]!;
    const event = await get({ id: path.split('/').at(-1)! });
    expect(event).toMatchObject({
      ...{ type: 'event', title: 'Wedding of Lucía', ...NIGHT, spaceIds: [hall.id], guests: 120 },
      ...{ leadId: lead.id, location: 'Gate 2', description: 'Dinner at eight.\nDogs are welcome.' },
    });
    expect(await factsOf(path)).toEqual({
      Type: 'Event',
      When: '12 Jun, 18:00 to 13 Jun, 02:00',
      Spaces: 'Great Hall',
      Guests: '120',
      Lead: 'Lucía Fernández',
      Location: 'Gate 2',
    });
    expect(await text(path)).toContain(`href="/settings/${workspace.id}/live/leads/${lead.id}"`);
    expect((await client.get(`/v1/leads/${lead.id}`)).body.stage).toBe('new_enquiry');
  });

  test('takes whole days without times, and blocks too', async () => {
    const done = await add({ type: 'block', title: 'Floor is polished', endDay: '2027-06-13' });
    const [path] = (done.headers.location as string).split('?') as [string];
    expect((await factsOf(path)).When).toBe('12 Jun to 13 Jun, all day');
    expect(await get({ id: path.split('/').at(-1)! })).toMatchObject({
      ...{ type: 'block', startsAt: '2027-06-12', endsAt: '2027-06-14', allDay: true },
    });
  });

  test('a visit of a lead moves the lead', async () => {
    const lead = await createLead(client, { email: 'ana@example.com' });
    const done = await add({ type: 'visit', title: 'Ana', startTime: '10:00', lead: 'ana@example.com' });
    expect(outcome(done)).toMatch(/notice=visit-booked$/);
    expect((await client.get(`/v1/leads/${lead.id}`)).body.stage).toBe('visit_booked');
  });

  test.each([
    [{ title: '' }, 'Title is required.'],
    [{ guests: 'many' }, 'Guests must be'],
    [{ startTime: '6pm' }, 'Starts at must be a time such as 18:00.'],
    [{ endDay: '2027-06-01' }, 'Last day must not be before the first day.'],
    [{ endDay: '2029-06-01' }, 'Last day must be at most 366 days after the start.'],
    [{ lead: 'nobody@example.com' }, 'No lead has this email. Add the lead first.'],
    [{ type: 'visit' }, 'Starts at is required: a visit has a time.'],
    [{ type: 'party' }, 'Type must be'],
    [{ spaceIds: 'space_0000000000000000000000000g' }, 'There is no space space_'],
    [{ spaceIds: 'x' }, 'Spaces must be'],
    [{ title: 'x'.repeat(301) }, 'Title must have at most 300 characters.'],
  ])('shows %j again with what is wrong', async (fields, message) => {
    const refused = await add({ location: 'Gate 2', ...fields });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(message);
    expect(refused.text).toContain('value="Gate 2"');
    expect((await client.get('/v1/calendar-events?from=2027-01-01&to=2027-12-31')).body.data).toEqual([]);
  });

  test('names what takes its spaces', async () => {
    const barn = await createSpace(client, { name: 'Barn' });
    await plan(client, { title: 'Ana & Luis', spaceIds: [hall.id, barn.id], ...NIGHT });
    const refused = await add({ startTime: '20:00', spaceIds: [hall.id] });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(
      'Great Hall is taken by “Ana &amp; Luis” (2027-06-12 18:00 to 2027-06-13 02:00). Set-up and clearing times count.',
    );
    expect(refused.text).toContain('href="#field-spaceIds"');
    expect(refused.text).not.toContain('cal_');
    const both = await add({ startTime: '20:00', spaceIds: [hall.id, barn.id] });
    expect(both.text).toMatch(/(Great Hall and Barn|Barn and Great Hall) are taken by/);
  });

  test('of several people who book a space at once one does, and the others are told', async () => {
    const booked = ['A', 'B', 'C', 'D'].map((title) => add({ title, startTime: '18:00', spaceIds: hall.id }));
    const answers = await Promise.all(booked);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422]);
    for (const { text } of answers.filter(({ status }) => status === 422)) {
      expect(text).toMatch(/Great Hall is taken by “[A-D]”/);
    }
  });

  test('can end ranked holds in its way', async () => {
    const hold = await place(client, { spaceId: hall.id, ...NIGHT });
    const fields = { startTime: '20:00', spaceIds: hall.id };
    const refused = await add(fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('A ranked hold asks for these spaces at that time.');
    expect(refused.text).toContain('name="overHolds"');
    expect(outcome(await add({ ...fields, overHolds: 'yes' }))).toMatch(/notice=added$/);
    expect((await client.get(`/v1/holds/${hold.id}`)).body.status).toBe('released');
  });
});

describe('editing', () => {
  test('changes what was changed alone', async () => {
    const before = await plan(client, {
      ...{ title: 'Wedding', spaceIds: [hall.id], guests: 80, timeZone: 'America/New_York' },
      ...{ startsAt: '2027-06-12T16:00:30.000Z', endsAt: NIGHT.endsAt },
    });
    expect(await text(pageOf(before))).toContain('planned in America/New York');
    expect(outcome(await edit(before, {}))).toBe(`303 ${pageOf(before)}?notice=saved`);
    expect((await get(before)).revision).toBe(1);
    await edit(before, { title: 'Party', guests: '' });
    expect(await get(before)).toEqual({
      ...before,
      ...{ title: 'Party', guests: null, sequence: 1, revision: 2, updatedAt: expect.any(String) },
    });
    // By the clock of the entry.
    await edit(before, { endTime: '21:00', spaceIds: [] });
    expect(await get(before)).toMatchObject({ endsAt: '2027-06-13T01:00:00.000Z', spaceIds: [] });
  });

  test('turns hours into days and back', async () => {
    const event = await plan(client, NIGHT);
    await edit(event, { startTime: '', endTime: '' });
    expect(await get(event)).toMatchObject({ allDay: true, startsAt: '2027-06-12', endsAt: '2027-06-14' });
    await edit(event, { startTime: '18:00', endDay: '', endTime: '' });
    expect(await get(event)).toMatchObject({
      ...{ allDay: false, startsAt: NIGHT.startsAt, endsAt: '2027-06-12T17:00:00.000Z' },
    });
  });

  test('keeps what was typed when somebody else was quicker, and an archived space that it has', async () => {
    const event = await plan(client, { ...NIGHT, spaceIds: [hall.id] });
    await client.delete(`/v1/spaces/${hall.id}`);
    expect(await text(`${pageOf(event)}/edit`)).toContain('Great Hall (archived)');
    const refused = await edit(event, { title: 'Mine', seen: '"7"' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Somebody else has changed this entry');
    expect(refused.text).toContain('value="Mine"');
    expect(refused.text).toContain('name="seen" value="&quot;1&quot;"');
    expect(outcome(await edit(event, { title: 'Mine' }))).toMatch(/notice=saved$/);
    expect(await get(event)).toMatchObject({ title: 'Mine', spaceIds: [hall.id] });
  });

  test.each([
    [{ startDay: '' }, 'startDay'],
    [{ startDay: '2027-13-40' }, 'startDay'],
    [{ startTime: '25:00' }, 'startTime'],
  ])('%j is refused, and what was typed is kept', async (changes, field) => {
    const event = await plan(client, { ...NIGHT, type: 'event', title: 'Wedding' });
    const refused = await edit(event, { ...changes, title: 'Another title' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="Another title"');
    expect(refused.text).toMatch(
      new RegExp(`aria-invalid[^>]*name="${field}"|name="${field}"[^>]*aria-invalid`),
    );
    expect(await get(event)).toEqual(event);
  });

  test('leaves no visit without a time', async () => {
    const visit = await plan(client, { ...NIGHT, type: 'visit', title: 'Visit' });
    const refused = await edit(visit, { startTime: '', endTime: '', endDay: '' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('a visit has a time');
  });

  test('is refused when its new time is taken', async () => {
    await plan(client, { title: 'First', ...NIGHT, spaceId: hall.id });
    const second = await plan(client, { startsAt: '2027-06-19', endsAt: '2027-06-20', spaceId: hall.id });
    const refused = await edit(second, { startDay: '2027-06-12', endDay: '2027-06-12' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Great Hall is taken by “First”');
    expect(await get(second)).toEqual(second);
  });
});

describe('cancelling', () => {
  test('says what happens, frees the spaces, and can be undone', async () => {
    const event = await plan(client, { title: 'Wedding', ...NIGHT, spaceId: hall.id });
    const asked = await text(`${pageOf(event)}/cancel`);
    expect(asked).toContain('<h1>Cancel the event?</h1>');
    expect(asked).toContain('Others can book Great Hall at that time again.');
    expect(
      outcome(await member.submit(`${pageOf(event)}/cancel`, {}, { on: `${pageOf(event)}/cancel` })),
    ).toBe(`303 ${pageOf(event)}?notice=cancelled`);
    expect((await get(event)).status).toBe('cancelled');
    const cancelled = await text(pageOf(event));
    expect(cancelled).toContain('Cancelled');
    expect(cancelled).not.toContain(`${pageOf(event)}/edit`);
    for (const page of ['edit', 'cancel']) {
      expect(outcome(await member.get(`${pageOf(event)}/${page}`))).toBe(`303 ${pageOf(event)}`);
    }
    const restore = () => member.submit(`${pageOf(event)}/restore`, {}, { on: pageOf(event) });
    const other = await plan(client, { title: 'Quicker', ...NIGHT, spaceId: hall.id });
    const refused = await restore();
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Great Hall is taken by “Quicker”');
    await client.delete(`/v1/calendar-events/${other.id}`);
    expect(outcome(await restore())).toBe(`303 ${pageOf(event)}?notice=restored`);
    expect((await get(event)).status).toBe('confirmed');
  });

  test('leaves the entry of a ranked hold to the hold', async () => {
    const hold = await place(client, { spaceId: hall.id, ...NIGHT });
    await place(client, { spaceId: hall.id, ...NIGHT, title: 'Novak' });
    const entry = { id: hold.calendarEventId };
    const shown = await text(pageOf(entry));
    expect(shown).toContain(`href="${calendar}/days/2027-06-12"`);
    expect((await factsOf(pageOf(entry))).Rank).toBe('1');
    expect(shown).not.toContain(`${pageOf(entry)}/edit`);
    expect(outcome(await member.get(`${pageOf(entry)}/edit`))).toBe(`303 ${pageOf(entry)}`);
    const refused = await member.submit(`${pageOf(entry)}/cancel`, {}, { on: pageOf(entry) });
    expect(refused.status).toBe(422);
    await act(client, hold, 'release');
    const ended = await text(pageOf(entry));
    expect(ended).toContain('The hold has ended');
    expect(ended).not.toContain(`${pageOf(entry)}/restore`);
  });
});

test('entries of other workspaces and modes, and unknown ones, are not there', async () => {
  const event = await plan(await workspace.client('test'), NIGHT);
  for (const id of [event.id, 'x', 'cal_0000000000000000000000000g', `lead_${event.id.slice(4)}`]) {
    for (const page of ['', '/edit', '/cancel']) {
      expect((await member.get(`${calendar}/events/${id}${page}`)).status).toBe(404);
    }
    expect((await member.submit(`${calendar}/events/${id}/cancel`, {})).status).toBe(404);
  }
  expect((await member.get(`/settings/${workspace.id}/test/calendar/events/${event.id}`)).status).toBe(200);
});

test('with as many spaces as there can be, with the longest names, forms and pages stay small', async () => {
  const ids = [hall.id];
  for (let index = 1; index < 100; index++) {
    ids.push((await createSpace(client, { name: `${index} ${'😀'.repeat(90)}`, capacity: 100 })).id);
  }
  const event = await plan(client, {
    ...{ ...NIGHT, title: '<'.repeat(300), description: '<'.repeat(5000), spaceIds: ids.slice(80) },
  });
  for (const path of [
    ...[calendar, `${calendar}?month=2027-06`, `${calendar}/availability`, `${calendar}/days/2027-06-12`],
    ...[`${calendar}/days/2027-06-12/hold`, `${calendar}/events/new`],
    ...['', '/edit', '/cancel'].map((page) => pageOf(event) + page),
  ]) {
    expect([path, Buffer.byteLength(await text(path)) <= 100 * 1024]).toEqual([path, true]);
  }
});
