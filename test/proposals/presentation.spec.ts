import { type CalendarEventId, type LeadId, newId, toUuid } from '../../src/kernel/ids';
import { CalendarQueries } from '../../src/modules/calendar';
import { uploaded } from '../files/support';
import { createSpace, plan } from '../support/calendar';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { PLAN_MODES, type PlanNode, planOf, statementOf } from '../support/plans';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { draft, LINES, send, sent } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const NOTHING = {
  message: null,
  sections: [],
  coverImage: null,
  terms: null,
  contact: null,
  preparedFor: null,
};

async function presentation(client: Client) {
  const [cover, garden, photo] = [await uploaded(client), await uploaded(client), await uploaded(client)];
  return {
    message: 'It was a pleasure.',
    sections: [
      { title: 'The garden', text: 'Under old trees.', images: [garden.id, cover.id] },
      { title: null, text: 'No heading.', images: [] },
    ],
    coverImage: cover.id as string,
    terms: 'Final numbers two weeks before.',
    contact: {
      name: 'Marta Gil',
      photo: photo.id as string,
      phone: '+34 600 123 456',
      email: 'marta@example.com',
    },
  };
}

describe('what makes an offer more than its prices', () => {
  test('is empty by default, and kept as given', async () => {
    expect(await draft(client)).toMatchObject(NOTHING);
    const given = await presentation(client);
    const lineItems = LINES.map((line) => ({ ...line, group: 'Catering' }));
    const offer = await draft(client, { ...given, lineItems });
    expect(offer).toMatchObject(given);
    expect(offer.lineItems.map(({ group }: any) => group)).toEqual(['Catering', 'Catering']);
    expect((await client.get(`/v1/proposals/${offer.id}`)).body).toEqual(offer);
  });

  test('is changed field by field, and cleared by null', async () => {
    const { id, revision } = await draft(client, await presentation(client));
    const { body } = await client.patch(`/v1/proposals/${id}`, {
      message: null,
      sections: null,
      contact: null,
    });
    expect(body).toMatchObject({
      message: null,
      sections: [],
      contact: null,
      revision: Number(revision) + 1,
    });
    expect(body.terms).toBe('Final numbers two weeks before.');
    const same = await client.patch(`/v1/proposals/${id}`, {
      terms: body.terms,
      coverImage: body.coverImage,
    });
    expect(same.body).toEqual(body);
  });

  test('fills in what a section or contact leaves out', async () => {
    const offer = await draft(client, { sections: [{ text: 'Here' }, {}], contact: { name: 'Marta' } });
    expect(offer.sections).toEqual([
      { title: null, text: 'Here', images: [] },
      { title: null, text: null, images: [] },
    ]);
    expect(offer.contact).toEqual({ name: 'Marta', photo: null, phone: null, email: null });
  });

  test('is part of a version: what was sent stays, a revision begins with it', async () => {
    const given = await presentation(client);
    const offer = await sent(client, given);
    const refused = await client.patch(`/v1/proposals/${offer.id}`, { message: 'Changed' });
    expectInvalid(refused, 'status');
    const { body: revision } = await client.post(`/v1/proposals/${offer.id}/revise`);
    expect(revision).toMatchObject({ ...given, preparedFor: null });
    await client.patch(`/v1/proposals/${revision.id}`, { message: 'Changed', sections: [] });
    expect((await client.get(`/v1/proposals/${offer.id}`)).body).toMatchObject(given);
  });

  test('lines that were stored without a group have none', async () => {
    const { id, revision } = await draft(client);
    await sql(
      gala.databaseUrl,
      `UPDATE proposals SET line_items = (SELECT json_agg((line::jsonb - 'group')::json) FROM json_array_elements(line_items) AS line)`,
    );
    const { body } = await client.get(`/v1/proposals/${id}`);
    expect(body.lineItems.map(({ group }: any) => group)).toEqual([null, null]);
    expect((await client.patch(`/v1/proposals/${id}`, { lineItems: LINES })).body.revision).toBe(revision);
  });

  test.each([
    ['sections', Array(13).fill({})],
    ['sections[0].images', [{ images: Array(7).fill(newId('file')) }]],
    ['sections[0].images', [{ images: ['https://evil.test/a.png'] }]],
    ['sections[0].text', [{ text: 'x'.repeat(5001) }]],
    ['sections[0].title', [{ title: ' ' }]],
    ['sections[0].colour', [{ colour: 'red' }]],
  ])('%s can be wrong', async (field, sections) => {
    const { id: leadId } = await createLead(client);
    expectInvalid(await client.post('/v1/proposals', { leadId, title: 'Wedding', sections }), field);
  });

  test.each([
    ['message', 'x'.repeat(5001)],
    ['terms', 'x'.repeat(20_001)],
    ['coverImage', 'prop_01h455vb4pex5vsknk084sn02q'],
    ['contact.name', {}],
    ['contact.email', { name: 'Marta', email: 'nobody' }],
    ['lineItems[0].group', [{ ...LINES[0], group: 'x'.repeat(101) }]],
  ])('%s has a limit', async (field, value) => {
    const { id: leadId } = await createLead(client);
    const name = field.split(/[.[]/)[0]!;
    expectInvalid(await client.post('/v1/proposals', { leadId, title: 'Wedding', [name]: value }), field);
  });
});

describe('an image', () => {
  const stranger = async () => uploaded(await (await gala.createWorkspace()).client());

  test('has to be of the same workspace and mode, and is named by its place', async () => {
    const foreign = [await stranger(), await uploaded(await workspace.client('test')), { id: newId('file') }];
    const { id } = await draft(client);
    for (const { id: image } of foreign) {
      const sections = [{ text: 'a' }, { images: [(await uploaded(client)).id, image] }];
      expectInvalid(await client.patch(`/v1/proposals/${id}`, { sections }), 'sections[1].images[1]');
      expectInvalid(await client.patch(`/v1/proposals/${id}`, { coverImage: image }), 'coverImage');
    }
    expect((await client.get(`/v1/proposals/${id}`)).body).toMatchObject(NOTHING);
  });

  test('can’t be deleted while a proposal shows it', async () => {
    const given = await presentation(client);
    const { id } = await draft(client, given);
    for (const image of [given.coverImage, given.sections[0]!.images[0], given.contact.photo]) {
      const refused = await client.delete(`/v1/files/${image}`);
      expectInvalid(refused, 'id');
      expect(refused.body.error.message).toContain(id);
    }
    await client.patch(`/v1/proposals/${id}`, { coverImage: null, sections: null, contact: null });
    expect((await client.delete(`/v1/files/${given.coverImage}`)).status).toBe(200);
  });

  test('that is deleted while a draft begins to show it is either there or refused', async () => {
    for (let round = 0; round < 8; round++) {
      const [{ id: image }, { id }] = [await uploaded(client), await draft(client)];
      const [change, deletion] = await Promise.all([
        client.patch(`/v1/proposals/${id}`, { coverImage: image }),
        client.delete(`/v1/files/${image}`),
      ]);
      expect([change.status, deletion.status].sort()).toEqual([200, 422]);
    }
  });

  test('is public once a proposal is sent that shows it, and not before', async () => {
    const cover = await uploaded(client);
    const get = async () => {
      const answer = await fetch(new URL(new URL(cover.url as string).pathname, gala.baseUrl));
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        bytes: await answer.arrayBuffer(),
      };
    };
    expect((await get()).status).toBe(404);
    const offer = await draft(client, { coverImage: cover.id });
    expect((await get()).status).toBe(404);
    await send(client, offer.id);
    const { status, headers, bytes } = await get();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.byteLength),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(Buffer.from(bytes).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    // It stays while the client's page can show it.
    await client.post(`/v1/proposals/${offer.id}/withdraw`);
    await client.delete(`/v1/proposals/${offer.id}`);
    expect((await get()).status).toBe(200);
  });

  test('is public, too, when an instance of a release without images sends the proposal', async () => {
    const cover = await uploaded(client);
    await sent(client, { coverImage: cover.id });
    await sql(gala.databaseUrl, 'UPDATE file_uses SET is_public = false');
    expect((await gala.anonymous.get(new URL(cover.url).pathname)).status).toBe(200);
  });

  test('that only a draft’s revision shows isn’t public', async () => {
    const [first, second] = [await uploaded(client), await uploaded(client)];
    const offer = await sent(client, { coverImage: first.id });
    const { body } = await client.post(`/v1/proposals/${offer.id}/revise`);
    await client.patch(`/v1/proposals/${body.id}`, { coverImage: second.id });
    const statusOf = async ({ url }: { url: string }) =>
      (await gala.anonymous.get(new URL(url).pathname)).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 404]);
  });

  test.each(['unknown.webp', '..%2f..%2fetc', 'full.jpg.html'])('has no rendition %s', async (name) => {
    const cover = await uploaded(client);
    await sent(client, { coverImage: cover.id });
    const path = new URL(cover.url).pathname.replace('full.jpg', name);
    expect((await gala.anonymous.get(path)).status).toBe(404);
  });
});

describe('for whom it is', () => {
  test('is kept as it was when it was sent', async () => {
    const lead = await createLead(client, { name: 'Lucía Fernández', eventDate: '2099-06-12', guests: 120 });
    const { id: spaceId } = await createSpace(client, { name: 'Garden Pavilion' });
    await plan(client, {
      leadId: lead.id,
      spaceId,
      startsAt: '2099-06-12',
      endsAt: '2099-06-13',
      type: 'hold',
    });
    const { body } = await client.post('/v1/proposals', {
      leadId: lead.id,
      title: 'Wedding',
      lineItems: LINES,
    });
    expect(body.preparedFor).toBeNull();
    const preparedFor = {
      ...{ name: 'Lucía Fernández', eventDate: '2099-06-12', guests: 120 },
      spaces: ['Garden Pavilion'],
    };
    expect((await send(client, body.id)).preparedFor).toEqual(preparedFor);
    await client.patch(`/v1/leads/${lead.id}`, { name: 'Somebody else', guests: 20 });
    expect((await client.get(`/v1/proposals/${body.id}`)).body.preparedFor).toEqual(preparedFor);
  });

  const DAY = '2099-06-12';
  const at = (startsAt: string, endsAt: string, type = 'event') => ({ startsAt, endsAt, type });
  const onDay = at(`${DAY}T15:00:00Z`, `${DAY}T22:00:00Z`, 'hold');
  const sooner = at('2098-05-01T10:00:00Z', '2098-05-01T12:00:00Z');
  const past = at('2020-06-12T10:00:00Z', '2020-06-12T12:00:00Z');

  async function spacesFor(eventDate: string | null, planned: ReturnType<typeof at>[]): Promise<unknown> {
    await sql(gala.databaseUrl, `UPDATE workspaces SET time_zone = 'Europe/Madrid' WHERE id = $1`, [
      toUuid(workspace.id),
    ]);
    const { id: leadId } = await createLead(client, { eventDate: eventDate ?? undefined, guests: 120 });
    for (const [index, fields] of planned.entries()) {
      const { id: spaceId } = await createSpace(client, { name: `Space ${index}` });
      await plan(client, { ...fields, leadId, spaceId });
    }
    const { body } = await client.post('/v1/proposals', { leadId, title: 'Wedding', lineItems: LINES });
    return (await send(client, body.id)).preparedFor.spaces;
  }

  test.each<[string, string | null, ReturnType<typeof at>[], string[]]>([
    ['over', DAY, [past], []],
    ['over, and another that is held', DAY, [past, onDay], ['Space 1']],
    ['sooner than the day of the event', DAY, [sooner, onDay], ['Space 1']],
    [
      'held on the day that begins in the evening before, in UTC',
      DAY,
      [sooner, at('2099-06-11T22:30:00Z', '2099-06-11T23:30:00Z', 'hold')],
      ['Space 1'],
    ],
    [
      'still going on when the day begins',
      DAY,
      [at('2099-06-11T18:00:00Z', '2099-06-11T23:00:00Z'), onDay],
      ['Space 1'],
    ],
    ['on the day, as a hold and an event', DAY, [onDay, { ...onDay, type: 'event' }], ['Space 1']],
    ['sooner, with nothing on the day', DAY, [past, sooner], ['Space 1']],
    ['next, without a day', null, [past, onDay, sooner], ['Space 2']],
    ['next, before the last day that there is', '9999-12-31', [onDay], ['Space 0']],
  ])('names the spaces of the right event: of one that is %s', async (_, day, planned, spaces) => {
    expect(await spacesFor(day, planned)).toEqual(spaces);
  });

  test.each(PLAN_MODES)('reads a bounded number of the lead’s entries, by an index (%s)', async (mode) => {
    const [{ id }, other] = [await createLead(client), await createLead(client)];
    const entry = await plan(client, { ...onDay, leadId: id });
    await sql(
      gala.databaseUrl,
      `INSERT INTO calendar_events SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(),
         'status', 'cancelled', 'lead_id', lead))).*
       FROM calendar_events e, generate_series(1, 5000), unnest($2::uuid[]) AS lead WHERE e.id = $1`,
      [toUuid(entry.id as CalendarEventId), [id, other.id].map((each) => toUuid(each as LeadId))],
    );
    await sql(gala.databaseUrl, 'ANALYZE calendar_events');
    const queries = gala.app.get(CalendarQueries, { strict: false });
    const ref = { workspaceId: workspace.id, mode: 'live' } as const;
    const read = () => queries.spacesOfLead(ref, { id: id as LeadId, eventDate: DAY }, new Date());
    const statement = await statementOf(gala, read, 'calendar_events');
    const nodes = flat(await planOf(gala, statement, { mode })).filter(
      (node) => node['Relation Name'] === 'calendar_events',
    );
    expect(nodes.map((node) => node['Index Name'])).toEqual(Array(2).fill('calendar_events_lead_starts_at'));
    for (const node of nodes) expect(node['Actual Rows']).toBeLessThanOrEqual(500);
  });
});

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
