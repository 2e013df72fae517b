import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list, namesIn, type Parameters } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala } from '../support/start-gala';

const START = '2027-01-15T09:30:00.000Z';
const clock = new FakeClock(START);
let gala: TestGala;
let client: Client;
const leads: Record<string, LeadBody> = {};
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  client = await (await gala.createWorkspace()).client();
  const add = async (name: string, fields: Partial<LeadBody>) => {
    leads[name] = await createLead(client, { name, ...fields });
    clock.advance(1);
  };
  await add('a', { email: 'Ana.Perez@Example.com', stage: 'contacted', tags: ['vip'], source: 'fair' });
  await add('b', { email: 'ana.perez@example.com', eventDate: '2027-06-11', tags: ['vip', 'garden'] });
  await add('c', { email: 'ana.perez@example.com.mx', eventDate: '2027-06-12', source: 'Fair' });
  await add('d', {
    email: 'MÜLLER@MÜNCHEN.de',
    eventDate: '2027-06-13',
    stage: 'lost',
    tags: ['VIP', 'a,b', '{}'],
  });
  await add('e', { email: 'müller@münchen.de', eventDate: '2028-02-29', stage: 'lost', source: '50%_off' });
  clock.advance(100);
  await client.delete(`/v1/leads/${leads.e!.id}`);
  await client.patch(`/v1/leads/${leads.a!.id}`, { guests: 5 });
});
afterAll(() => gala.stop());

const expectFound = async (parameters: Parameters, names: string) => {
  expect((await namesIn(client, { sort: 'createdAt', ...parameters })).join('')).toBe(names);
  expect((await list(client, { ...parameters, limit: 1, page: 9 })).body.pagination.total).toBe(names.length);
};
const later = (seconds: number) => new Date(Date.parse(START) + seconds * 1000).toISOString();

describe('one filter', () => {
  test.each<[Parameters, string]>([
    [{}, 'abcd'],
    [{ stage: 'lost' }, 'd'],
    [{ stage: 'new_enquiry' }, 'bc'],
    [{ stage: 'completed' }, ''],
    [{ tag: 'vip' }, 'abd'],
    [{ tag: 'VIP' }, 'abd'],
    [{ tag: 'vi' }, ''],
    [{ tag: 'vip,garden' }, ''],
    [{ tag: 'a,b' }, 'd'],
    [{ tag: '{}' }, 'd'],
    [{ tag: '%' }, ''],
    [{ source: 'fair' }, 'ac'],
    [{ source: 'Fair' }, 'ac'],
    [{ source: 'fa%' }, ''],
    [{ source: '50%_off', archived: 'all' }, 'e'],
    [{ source: '50%%off', archived: 'all' }, ''],
  ])('%j finds "%s"', expectFound);

  test.each<[Parameters, string]>([
    [{ email: 'ana.perez@example.com' }, 'ab'],
    [{ email: 'ANA.PEREZ@EXAMPLE.COM' }, 'ab'],
    [{ email: 'ana_perez@example.com' }, ''],
    [{ email: 'nowhere@example.com' }, ''],
    [{ email: 'Müller@München.DE' }, 'd'],
    [{ email: 'müller@münchen.de', archived: 'all' }, 'de'],
    [{ email: 'mu\u0308ller@mu\u0308nchen.de', archived: 'all' }, 'de'],
  ])('%j, a whole address ignoring case, finds "%s"', expectFound);

  test.each<[Parameters, string]>([
    [{ archived: 'false' }, 'abcd'],
    [{ archived: 'true' }, 'e'],
    [{ archived: 'all' }, 'abcde'],
  ])('%j finds "%s"', expectFound);
});

describe('days are inclusive; leads without one are never among them', () => {
  test.each<[Parameters, string]>([
    [{ eventDateFrom: '2027-06-12' }, 'cd'],
    [{ eventDateTo: '2027-06-12' }, 'bc'],
    [{ eventDateFrom: '2027-06-12', eventDateTo: '2027-06-12' }, 'c'],
    [{ eventDateFrom: '2027-06-11', eventDateTo: '2027-06-13' }, 'bcd'],
    [{ eventDateFrom: '2027-06-14' }, ''],
    [{ eventDateFrom: '2028-02-29', archived: 'all' }, 'e'],
    [{ eventDateFrom: '1900-01-01', eventDateTo: '9999-12-31' }, 'bcd'],
  ])('%j finds "%s"', expectFound);
});

describe('instants are exclusive, with any offset', () => {
  test.each<[Parameters, string]>([
    [{ createdAfter: START }, 'bcd'],
    [{ createdAfter: later(-0.001) }, 'abcd'],
    [{ createdAfter: later(2) }, 'd'],
    [{ createdBefore: later(2) }, 'ab'],
    [{ createdBefore: later(2.001) }, 'abc'],
    [{ createdAfter: START, createdBefore: later(2) }, 'b'],
    [{ createdAfter: later(1), createdBefore: later(2) }, ''],
    [{ createdAfter: '2027-01-15T10:30:00+01:00' }, 'bcd'],
    [{ createdAfter: '2027-01-15T01:30:00.000-08:00' }, 'bcd'],
    [{ createdAfter: '2027-01-15T23:30:01+14:00' }, 'cd'],
    [{ createdBefore: '2027-01-14T21:30:02-12:00' }, 'ab'],
    [{ createdAfter: '2027-01-15t09:30:00z' }, 'bcd'],
    [{ createdAfter: '2027-01-16T09:29:00+23:59' }, 'bcd'],
    [{ createdAfter: '1900-01-01T00:00:00Z', createdBefore: '9999-12-31T23:59:59.999Z' }, 'abcd'],
    [{ updatedAfter: later(50) }, 'a'],
    [{ updatedAfter: later(50), archived: 'all' }, 'ae'],
    [{ updatedAfter: later(3) }, 'a'],
    [{ updatedAfter: later(2.999) }, 'ad'],
    [{ updatedAfter: later(200) }, ''],
  ])('%j finds "%s"', expectFound);

  test('fractions finer than a millisecond count', async () => {
    await expectFound({ createdAfter: '2027-01-15T09:29:59.999999Z' }, 'abcd');
    await expectFound({ createdAfter: '2027-01-15T09:30:00.000001Z' }, 'bcd');
    await expectFound({ createdBefore: '2027-01-15T09:30:01.000001Z' }, 'ab');
    await expectFound({ createdBefore: '2027-01-15T09:30:00.999999Z' }, 'a');
  });
});

describe('filters together narrow further', () => {
  test.each<[Parameters, string]>([
    [{ stage: 'new_enquiry', tag: 'vip' }, 'b'],
    [{ stage: 'contacted', tag: 'garden' }, ''],
    [{ email: 'ana.perez@example.com', eventDateTo: '2027-12-31' }, 'b'],
    [
      {
        email: 'ana.perez@example.com',
        q: 'a vip',
        createdAfter: later(-1),
        archived: 'all',
        source: 'fair',
      },
      'a',
    ],
    [
      {
        archived: 'true',
        stage: 'lost',
        eventDateFrom: '2028-01-01',
        source: '50%_off',
        updatedAfter: START,
      },
      'e',
    ],
  ])('%j finds "%s"', expectFound);
});

describe('what no filter can mean is refused', () => {
  test.each(['ana+x@example.com', 'ana', 'nowhere', '@example.com', 'ana@example.com,ben@example.com'])(
    'a plain + or no whole address: email=%s',
    async (email) => {
      const answer = await client.get(`/v1/leads?email=${email}`);
      expectInvalid(answer, 'email');
      expect(answer.body.error.message).toContain('%2B');
    },
  );

  test.each([
    ...['won', 'LOST', 'lost,contacted', 'null'].map((value) => ['stage', value]),
    ...['yes', '1', 'TRUE', 'null'].map((value) => ['archived', value]),
    ...['eventDateFrom', 'eventDateTo'].flatMap((name) =>
      ['2027-02-29', '2027', '2027-06', '2027-06-12T00:00:00Z', 'today', '1899-12-31', '10000-01-01'].map(
        (value) => [name, value],
      ),
    ),
    ...['createdAfter', 'createdBefore', 'updatedAfter'].flatMap((name) =>
      [
        '2027-06-12',
        '2027-06-12T10:00:00',
        '2027-06-12 10:00:00Z',
        '2027-06-12T10:00Z',
        '2027-06-12T10:00:00+0100',
        '2027-06-12T10:00:00+24:00',
        '2027-06-12T10:00:00+01:60',
        '2027-06-12T24:00:00Z',
        '2027-06-12T10:60:00Z',
        '2027-02-29T10:00:00Z',
        '2027-06-12T10:00:00.Z',
        '1897000000',
        'now',
        'infinity',
        '9999-12-31T23:59:59-01:00',
      ].map((value) => [name, value]),
    ),
  ] as [string, string][])('%s=%s', async (name, value) =>
    expectInvalid(await list(client, { [name]: value }), name),
  );

  test('an offset whose plus sign was not encoded is refused instead of guessed at', async () => {
    expectInvalid(await client.get('/v1/leads?createdAfter=2027-01-15T10:30:00+01:00'), 'createdAfter');
  });
});
