import fc from 'fast-check';
import { storableText } from '../support/arbitraries';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { expectInvalid, expectForbidden } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const email = 'ana@example.com';
const create = (fields: object) => client.post('/v1/leads', { email, ...fields });
const createRaw = (json: string) => client.post('/v1/leads', json);

describe('what a new lead is', () => {
  test('an e-mail address alone is enough; everything else is null, the first stage, no tags', async () => {
    const answer = await client.post('/v1/leads', { email });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^lead_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      externalId: null,
      name: null,
      email,
      phone: null,
      eventDate: null,
      guests: null,
      source: null,
      stage: 'new_enquiry',
      tags: [],
      ownerId: null,
      outcome: 'open',
      lostReasonId: null,
      lostNote: null,
      custom: {},
      archivedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: answer.body.createdAt,
    });
    expect(Math.abs(Date.parse(answer.body.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  test('every field that was given comes back, from creation, by id and in the list', async () => {
    const fields = {
      name: 'Ana Pérez',
      email: 'Ana.Perez+garden@Example.com',
      phone: '+34600123456',
      eventDate: '2027-06-12',
      guests: 120,
      source: 'website',
      stage: 'contacted',
      tags: ['vip', 'garden'],
    };
    const created = await create(fields);
    expect(created.body).toMatchObject(fields);
    expect((await client.get(`/v1/leads/${created.body.id}`)).body).toEqual(created.body);
    expect((await list(client, { email: fields.email })).body.data).toEqual([created.body]);
  });

  test('Location is the address of the lead', async () => {
    const created = await create({ name: 'Located' });
    expect(created.headers.location).toBe(`/v1/leads/${created.body.id}`);
    expect((await client.get(created.headers.location!)).body).toEqual(created.body);
  });

  test('null is the same as leaving a field out', async () => {
    const nulls = {
      name: null,
      phone: null,
      eventDate: null,
      guests: null,
      source: null,
      stage: null,
      tags: null,
    };
    const { status, body } = await create(nulls);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...nulls, stage: 'new_enquiry', tags: [] });
  });

  test('the same address may enquire again', async () => {
    const [one, other] = [await createLead(client, { email }), await createLead(client, { email })];
    expect(one.id).not.toBe(other.id);
  });

  test.each(['contacted', 'visit_booked', 'proposal_sent', 'negotiation', 'confirmed', 'completed', 'lost'])(
    'a lead may begin in the stage %s',
    async (stage) => expect((await create({ stage })).body.stage).toBe(stage),
  );

  test('a key without leads:write is refused and nothing is made', async () => {
    const reader = await workspace.client('live', ['leads:read']);
    expectForbidden(await reader.post('/v1/leads', { email: 'refused@example.com' }));
    expect((await list(client, { email: 'refused@example.com' })).body.pagination.total).toBe(0);
  });
});

describe('what is refused', () => {
  test.each([[{}], [{ email: null }], [{ name: 'Ana' }]])('%j lacks the e-mail address', async (body) => {
    expectInvalid(await client.post('/v1/leads', body), 'email');
  });

  test.each([
    'id',
    'createdAt',
    'updatedAt',
    'archivedAt',
    'workspaceId',
    'workspace_id',
    'mode',
    'Email',
    'searchText',
  ])('the field %s, which is not the client’s to give', async (field) =>
    expectInvalid(await create({ [field]: 'x' }), field),
  );

  test('names that reach into prototypes, without a trace in later requests', async () => {
    const answer = await createRaw(
      `{"email":"${email}","__proto__":{"stage":"lost","isAdmin":true},"constructor":{"prototype":{"x":1}}}`,
    );
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect((await create({})).body).not.toHaveProperty('x');
    expect((await create({})).body.stage).toBe('new_enquiry');
  });

  test('all offenders at once, the e-mail address first', async () => {
    const answer = await client.post('/v1/leads', {
      name: 5,
      guests: 0,
      phone: 'none',
      eventDate: 'soon',
      source: '',
      stage: 'won',
      tags: 'vip',
      colour: 'red',
      email: 'nowhere',
    });
    expectInvalid(answer, 'email');
    const fields = answer.body.error.details.map(({ field }: { field: string }) => field);
    expect(fields[0]).toBe('email');
    expect([...fields].sort()).toEqual(
      ['colour', 'email', 'eventDate', 'guests', 'name', 'phone', 'source', 'stage', 'tags'].sort(),
    );
  });

  test.each([
    ['name', 123],
    ['name', true],
    ['name', ['Ana']],
    ['name', {}],
    ['email', [email]],
    ['email', 1],
    ['phone', 34600123456],
    ['eventDate', 20270612],
    ['source', false],
    ['stage', 1],
    ['stage', ['contacted']],
    ['stage', 'won'],
    ['stage', 'New_Enquiry'],
    ['stage', ''],
    ['tags', 'vip'],
    ['tags', { 0: 'vip' }],
    ['tags', [1]],
    ['tags', [['vip']]],
    ['tags', [null]],
    ['guests', '12'],
    ['guests', true],
    ['guests', [12]],
    ['guests', {}],
  ])('%s given as %j: no type is made from another', async (field, value) => {
    expectInvalid(await create({ [field]: value }), field);
  });

  test('nothing of what was refused is kept', async () => {
    const before = (await list(client)).body.pagination.total;
    await create({ guests: 0 });
    await create({ unknown: 1 });
    expect((await list(client)).body.pagination.total).toBe(before);
  });
});

describe('guests', () => {
  test.each([
    ['1', 1],
    ['100000', 100_000],
    ['12.0', 12],
    ['1e3', 1000],
  ])('%s is taken as %d', async (json, guests) => {
    expect((await createRaw(`{"email":"${email}","guests":${json}}`)).body.guests).toBe(guests);
  });

  test.each(['0', '-0', '-1', '100001', '1.5', '2147483648', '9007199254740993', '1e400', '-1e400', '1e-9'])(
    '%s is refused',
    async (json) => expectInvalid(await createRaw(`{"email":"${email}","guests":${json}}`), 'guests'),
  );

  test('any number is taken exactly when it is an integer from 1 to 100,000', async () => {
    const number = fc.oneof(
      fc.integer({ min: -5, max: 100_005 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
    );
    await fc.assert(
      fc.asyncProperty(number, async (guests) => {
        const answer = await createRaw(`{"email":"${email}","guests":${guests}}`);
        if (Number.isInteger(guests) && guests >= 1 && guests <= 100_000)
          expect(answer.body.guests).toBe(guests);
        else expectInvalid(answer, 'guests');
      }),
      { numRuns: 60 },
    );
  });
});

describe.each([
  ['name', 200],
  ['source', 100],
] as const)('%s', (field, max) => {
  test.each(['é', 'e\u0301', '😀', '界', 'a'])(
    `${max} code points of %j are kept whole, one more is refused`,
    async (unit) => {
      const text = [...unit.repeat(max)].slice(0, max).join('');
      expect((await create({ [field]: text })).body[field]).toBe(text);
      expectInvalid(await create({ [field]: `${text}😀` }), field);
    },
  );

  test.each(['', ' ', '\t\r\n', '\u00a0', '\u3000', '\u2003\u2028'])(
    '%j is blank and refused',
    async (text) => {
      expectInvalid(await create({ [field]: text }), field);
    },
  );

  test('text is kept as given, not trimmed, not normalised', async () => {
    for (const text of [
      '  Ana  ',
      'Ana\n',
      'e\u0301 é',
      '<b>"\'`',
      '\\',
      '%00 %s ${x}',
      'null',
      'ZWSP\u200b',
    ]) {
      expect((await create({ [field]: text })).body[field]).toBe(text);
    }
  });

  test.each(['"a\\u0000b"', '"\\ud800"', '"a\\udc00b"', '"\\ude00\\ud83d"'])(
    '%s can’t be stored unchanged and is refused',
    async (json) => expectInvalid(await createRaw(`{"email":"${email}","${field}":${json}}`), field),
  );

  test('any other text comes back as it was given', async () => {
    await fc.assert(
      fc.asyncProperty(storableText(max), async (text) => {
        const created = await create({ [field]: text });
        expect(created.body[field]).toBe(text);
        expect((await client.get(`/v1/leads/${created.body.id}`)).body[field]).toBe(text);
      }),
      { numRuns: 40 },
    );
  });
});

test('a name of megabytes is refused with the field when the body may be that long', async () => {
  expectInvalid(await create({ name: 'x'.repeat(200_000) }), 'name');
});
