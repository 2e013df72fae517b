import fc from 'fast-check';
import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { expectedList } from '../support/lead-oracle';
import { type LeadBody, list, type Parameters, walkCursor, walkPages } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(60_000);

const START = '2027-01-15T09:30:00.000Z';
const clock = new FakeClock(START);
let gala: TestGala;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());

// Few values, so that leads share them and filters find some of them.
const NAMES = [
  'Ana',
  'ana',
  'ÁNA',
  'Ana María',
  'Bo_b',
  'Bo%b',
  'Zoë',
  'Zoe\u0308',
  'zoe',
  'Œuvre',
  'ñandú',
  '山田',
  'Яна',
  'de la Cruz',
  'd’Arc',
  'ﬁn',
  '50% off',
];
const EMAILS = [
  'ana@example.com',
  'ANA@example.com',
  'bob@y.test',
  'müller@example.de',
  'MÜLLER@example.de',
  'mu\u0308ller@example.de',
];
const TAGS = ['vip', 'VIP', 'garden', 'a,b', '%', 'Ana', 'café', 'cafe\u0301'];
const SOURCES = ['fair', 'Fair', 'website', 'Café', 'CAFE\u0301'];
const DAYS = ['2026-12-31', '2027-01-01', '2027-06-12', '2028-02-29'];
const STAGES = ['new_enquiry', 'contacted', 'confirmed', 'lost'];
const nullable = <Value>(values: Value[]) => fc.option(fc.constantFrom(...values), { freq: 3 });

interface Plan {
  fields: Partial<LeadBody>;
  waitBefore: number;
  fate: 'kept' | 'changed' | 'archived' | 'restored';
}

const plan: fc.Arbitrary<Plan> = fc.record({
  fields: fc.record({
    name: nullable(NAMES),
    email: fc.constantFrom(...EMAILS),
    phone: nullable(['+34600123456', '+442079460958']),
    eventDate: nullable(DAYS),
    source: nullable(SOURCES),
    stage: fc.constantFrom(...STAGES),
    tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
  }),
  // Often no time passes, so that creation times tie.
  waitBefore: fc.constantFrom(0, 0, 0, 1, 2),
  fate: fc.constantFrom('kept', 'kept', 'changed', 'archived', 'restored'),
});

const instant = fc
  .tuple(fc.integer({ min: -2, max: 90 }), fc.constantFrom(0, 60, -480, 840))
  .map(([seconds, offset]) => {
    const local = new Date(Date.parse(START) + seconds * 1000 + offset * 60_000).toISOString().slice(0, -1);
    const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
      String(part).padStart(2, '0'),
    );
    return `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
  });

const parameters = fc
  .record(
    {
      stage: fc.constantFrom(...STAGES, 'completed'),
      outcome: fc.constantFrom('open', 'won', 'lost'),
      email: fc.constantFrom(...EMAILS, 'Bob@Y.test'),
      tag: fc.constantFrom(...TAGS, 'ana'),
      source: fc.constantFrom(...SOURCES),
      eventDateFrom: fc.constantFrom(...DAYS, '2027-06-13'),
      eventDateTo: fc.constantFrom(...DAYS, '2027-06-11'),
      createdAfter: instant,
      createdBefore: instant,
      updatedAfter: instant,
      archived: fc.constantFrom('all', 'true', 'false', 'all'),
      q: fc.constantFrom(
        'ana',
        'ANA',
        '%',
        '_',
        'ö',
        'zoë',
        'ZOE\u0308',
        'maría ana',
        'vip',
        'example',
        '3460',
        'y.test bob',
        'яна',
        '\\',
      ),
      sort: fc.constantFrom(
        ...['createdAt', 'updatedAt', 'eventDate', 'name'].flatMap((field) => [field, `-${field}`]),
      ),
      limit: fc.constantFrom(1, 2, 3, 5, 7, 20),
    },
    { requiredKeys: [] },
  )
  // Up to three filters: more hardly ever find anything.
  .chain(({ sort, limit, archived, ...filters }) =>
    fc.subarray(Object.entries(filters), { maxLength: 3 }).map((chosen) => ({
      ...Object.fromEntries(chosen),
      ...(archived && { archived }),
      ...(sort && { sort }),
      ...(limit && { limit }),
    })),
  ) as unknown as fc.Arbitrary<Parameters>;

async function carryOut(client: Client, plans: Plan[]): Promise<LeadBody[]> {
  const leads: LeadBody[] = [];
  for (const { fields, waitBefore } of plans) {
    clock.advance(waitBefore);
    const { status, body } = await client.post('/v1/leads', fields);
    expect(status).toBe(201);
    leads.push(body);
  }
  for (const [index, { fate }] of plans.entries()) {
    const path = `/v1/leads/${leads[index]!.id}`;
    clock.advance(index % 2);
    if (fate === 'changed')
      leads[index] = (
        await client.patch(path, { guests: index + 1, name: NAMES[index % NAMES.length] })
      ).body;
    if (fate === 'archived' || fate === 'restored') leads[index] = (await client.delete(path)).body;
    if (fate === 'restored') leads[index] = (await client.post(`${path}/restore`)).body;
  }
  return leads;
}

test.each([1, 2, 3, 4])(
  'whatever is asked of whatever leads, a list is what it should be (%d)',
  async (seed) => {
    const [plans] = fc.sample(fc.array(plan, { minLength: 30, maxLength: 30 }), { numRuns: 1, seed });
    const workspace = await gala.createWorkspace();
    const client = await workspace.client();
    const leads = await carryOut(client, plans!);
    await fc.assert(
      fc.asyncProperty(parameters, async (asked) => {
        const expected = expectedList(leads, asked);
        const limit = Number(asked.limit ?? 20);
        const { body } = await list(client, asked);
        expect(body.pagination).toMatchObject({
          total: expected.length,
          pages: Math.ceil(expected.length / limit),
        });
        expect(body.data).toEqual(expected.slice(0, limit));
        if (limit > 2) {
          expect(await walkPages(client, asked)).toEqual(expected);
          expect(await walkCursor(client, asked)).toEqual(expected);
        }
      }),
      { numRuns: 40, seed },
    );
  },
);
