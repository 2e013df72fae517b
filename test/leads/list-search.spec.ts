import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
});

/** A lead that no word of these tests finds by its address. */
const add = (fields: Partial<LeadBody>) => createLead(client, { email: 'x@y.test', ...fields });
const finds = async (q: string): Promise<number> => {
  const { status, body } = await list(client, { q });
  expect(status).toBe(200);
  expect(body.data).toHaveLength(body.pagination.total);
  return body.pagination.total;
};
const expectOnly = async (q: string, lead: LeadBody) => {
  const { body } = await list(client, { q });
  expect(body.data.map(({ id }: LeadBody) => id)).toEqual([lead.id]);
};

test('words are looked for in name, e-mail, phone and tags, and nowhere else', async () => {
  const lead = await add({
    name: 'Ana Pérez',
    email: 'contact@Garden-Events.example',
    phone: '+34600123456',
    tags: ['vip', 'open air'],
    source: 'fair',
    stage: 'negotiation',
    eventDate: '2027-06-12',
  });
  await add({ name: 'Bob' });
  for (const q of [
    'ana',
    'Pérez',
    'érez',
    'garden-events',
    'EXAMPLE contact',
    '600123',
    '+3460',
    'vip',
    'open',
    'air',
  ]) {
    await expectOnly(q, lead);
  }
  for (const q of ['fair', 'negotiation', '2027-06-12', lead.id, 'Anna']) expect(await finds(q)).toBe(0);
});

test('every word has to occur, in any order, in any of the fields', async () => {
  const lead = await add({ name: 'Ana Pérez', tags: ['garden'] });
  await add({ name: 'Ana López', tags: ['beach'] });
  for (const q of ['ana garden', 'garden ana', 'pérez ANA y.test', '  ana \t garden\n', 'ana ana garden']) {
    await expectOnly(q, lead);
  }
  expect(await finds('ana')).toBe(2);
  expect(await finds('ana garden beach')).toBe(0);
});

test('a word never spans two fields or two tags', async () => {
  await add({
    name: 'Ana',
    email: 'bob@example.com',
    phone: '+34600123456',
    tags: ['one', 'two'],
  });
  for (const q of ['anabob', 'test+34', 'onetwo', '456one']) expect(await finds(q)).toBe(0);
});

test.each([
  ['a', 'no-break space', '\u00a0'],
  ['an', 'ideographic space', '\u3000'],
])('words are separated by any white space: %s %s', async (_, _name, space) => {
  const lead = await add({ name: 'Ana', tags: ['garden'] });
  await expectOnly(`garden${space}ana`, lead);
});

describe('signs that are wildcards to a database are looked for as they are', () => {
  const names = [
    '50% off',
    'snake_case',
    'snakeXcase',
    'back\\slash',
    "O'Brien",
    '"quoted"',
    'a*b?c',
    '[x]{y}(z)',
    '^a.b$',
    'a|b&c!d:*',
    '$1 -- ;',
  ];
  beforeEach(async () => {
    for (const name of names) await add({ name });
  });

  test.each([
    ['%', 1],
    ['%%', 0],
    ['50%', 1],
    ['5%f', 0],
    ['_', 1],
    ['__', 0],
    ['snake_case', 1],
    ['snak_', 0],
    ['sna%case', 0],
    ['\\', 1],
    ['\\\\', 0],
    ['\\%', 0],
    ['back\\slash', 1],
    ["'", 1],
    ['"', 1],
    ['*', 2],
    ['?', 1],
    ['[x]{y}', 1],
    ['^', 1],
    ['$', 2],
    ['a.b', 1],
    ['|', 1],
    [':*', 1],
    ['--', 1],
    ["') OR 1=1 --", 0],
  ])('%s is found %d times', async (q, count) => expect(await finds(q)).toBe(count));
});

describe('case is ignored in every script', () => {
  test.each([
    ['Ana', 'aNA'],
    ['ÉLODIE', 'élodie'],
    ['Ñandú', 'ñANDÚ'],
    ['İstanbul', 'İSTANBUL'],
    ['İstanbul', 'i̇stanbul'],
    ['Straße', 'STRAẞE'],
    ['STRAẞE', 'straße'],
    ['ЖУРАВЛЬ', 'журавль'],
    ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['Ծաղիկ', 'ԾԱՂԻԿ'],
    ['ⰁⰀ', 'ⰱⰰ'],
    ['𐐀𐐁', '𐐨𐐩'],
    ['ÆØÅ', 'æøå'],
    ['ĲSSEL', 'ĳssel'],
    ['山田', '山田'],
    ['אבג', 'אבג'],
  ])('%s is found by %s', async (name, q) => {
    const lead = await add({ name });
    await add({ name: 'someone else' });
    await expectOnly(q, lead);
  });

  test.each([
    ['ΟΔΥΣΣΕΥΣ', 'ΟΔΥΣ'],
    ['Οδυσσευς', 'ΟΔΥΣ'],
    ['ΝΙΚΟΣ', 'νικοσ'],
    ['νικος', 'ΝΙΚΟΣ'],
    ['ΝΙΚΟΣΚΑΙ', 'ΝΙΚΟΣ'],
    ['νικοσκαι', 'ΝΙΚΟΣ'],
  ])('a sigma is a sigma at the end of a word too: %s is found by %s', async (name, q) => {
    await expectOnly(q, await add({ name }));
  });

  test('in e-mail addresses and tags as in names', async () => {
    const lead = await add({ email: 'MÜLLER@example.com', tags: ['ВЕСНА'] });
    await expectOnly('müller весна', lead);
  });
});

test('composed and decomposed letters are the same, however they are written', async () => {
  const composed = await add({ name: 'Caf\u00e9' });
  const decomposed = await add({ name: 'Cafe\u0301' });
  for (const q of ['caf\u00e9', 'CAFE\u0301']) expect(await finds(q)).toBe(2);
  expect((await client.get(`/v1/leads/${composed.id}`)).body.name).toBe('Caf\u00e9');
  expect((await client.get(`/v1/leads/${decomposed.id}`)).body.name).toBe('Cafe\u0301');
});

test('a change of the lead changes what finds it', async () => {
  const lead = await add({ name: 'Ana', tags: ['old'] });
  await client.patch(`/v1/leads/${lead.id}`, { name: 'Eva', tags: ['new'], phone: '+34600123456' });
  expect([await finds('ana'), await finds('old')]).toEqual([0, 0]);
  expect([await finds('eva new'), await finds('600123456')]).toEqual([1, 1]);
  await client.patch(`/v1/leads/${lead.id}`, { name: null, phone: null });
  expect([await finds('eva'), await finds('600123456'), await finds('null')]).toEqual([0, 0, 0]);
});

test('a search may be 200 characters long, in any number of words, and no longer', async () => {
  await add({ name: 'a'.repeat(200) });
  expect(await finds('a'.repeat(200))).toBe(1);
  expect(await finds('a '.repeat(100).trim())).toBe(1);
  const tooLong = await list(client, { q: 'a'.repeat(201) });
  expect([tooLong.status, tooLong.body.error.field]).toEqual([422, 'q']);
});
