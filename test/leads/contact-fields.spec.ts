import fc from 'fast-check';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

const create = (fields: object) => client.post('/v1/leads', { email: 'ana@example.com', ...fields });

describe('e-mail addresses', () => {
  test.each([
    "o'brien@x.ie",
    'a+b@x.co',
    'a@b.photography',
    'user@xn--mnchen-3ya.de',
    'user@münchen.de',
    'josé@example.es',
    'Ana.PEREZ@Example.COM',
    'first.last@sub.sub.example.museum',
    '_x@example.com',
    '1234567890@example.com',
    'a-b@ex-ample.com',
    "!#$%&'*+/=?^_`{|}~-@example.com",
    'x@1.example.com',
  ])('%s is taken and kept as given', async (email) => {
    const answer = await client.post('/v1/leads', { email });
    expect(answer.status).toBe(201);
    expect(answer.body.email).toBe(email);
    expect((await client.get(`/v1/leads/${answer.body.id}`)).body.email).toBe(email);
  });

  test.each([
    '',
    ' ',
    'a',
    '@',
    'a@',
    '@x.co',
    'a..b@x.co',
    '.a@x.co',
    'a.@x.co',
    '<a@b.co>',
    'Ana <a@b.co>',
    'mailto:a@b.co',
    'a@b.co,b@c.co',
    'a@b.co;b@c.co',
    'a@b.co\n',
    '\na@b.co',
    ' a@b.co',
    'a@b.co ',
    'a@b .co',
    'a b@c.co',
    'a@b@c.co',
    'a@b..co',
    'a@.co',
    'a@b.co.',
    'a@-b.co',
    'a@localhost',
    'a@b',
    'a@b.co\u0000',
    'a@b.co\r\nBcc: x@y.co',
  ])('%j is refused', async (email) => {
    expectInvalid(await client.post('/v1/leads', { email }), 'email');
    const lead = await createLead(client);
    expectInvalid(await client.patch(`/v1/leads/${lead.id}`, { email }), 'email');
  });

  test('254 characters are the most', async () => {
    const domain = `${'d'.repeat(61)}.`.repeat(3);
    const address = (length: number) => `${'a'.repeat(length - domain.length - 4)}@${domain}com`;
    expect([...address(250)]).toHaveLength(250);
    expect((await client.post('/v1/leads', { email: address(250) })).body.email).toBe(address(250));
    const longest = `${'a'.repeat(64)}@${domain}com`;
    const beyond = `${'a'.repeat(64)}@${domain}${'e'.repeat(254 - 64 - domain.length)}`;
    expect((await client.post('/v1/leads', { email: longest })).status).toBe(201);
    expect(beyond).toHaveLength(255);
    expectInvalid(await client.post('/v1/leads', { email: beyond }), 'email');
  });
});

describe('phone numbers', () => {
  test.each([
    ['+2250705181123', '+2250705181123'],
    ['+213563123456', '+213563123456'],
    ['+5215512345678', '+5215512345678'],
    ['+1234567', '+1234567'],
    ['+123456789012345', '+123456789012345'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+91-7120966590', '+917120966590'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['+1.415.555.2671', '+14155552671'],
    [' +34 600 123 456 ', '+34600123456'],
  ])('%j is kept as %s', async (phone, kept) => {
    const created = await create({ phone });
    expect(created.body.phone).toBe(kept);
    expect((await client.get(`/v1/leads/${created.body.id}`)).body.phone).toBe(kept);
  });

  test.each([
    '',
    ' ',
    '+',
    '4155552671',
    '004155552671',
    '+0123456789',
    '+123456',
    `+${'1'.repeat(16)}`,
    '+1 415 555 2671 ext 5',
    '+1 415 555 2671 x5',
    '+٣٤٦٠٠١٢٣٤٥٦',
    '+３４６００１２３４５６',
    '++34600123456',
    '+34600123456+',
    '+44 (0)7911 123456',
    '+49\u00a0\uff080\uff09 30 123456',
    '+34/600/123456',
    '+34600123456\n',
    '+34,600123456',
    'tel:+34600123456',
    '+3460012E456',
  ])('%j is refused', async (phone) => expectInvalid(await create({ phone }), 'phone'));

  test('whatever separators stand in it, one number is always kept the same way', async () => {
    const digits = fc
      .tuple(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 6, maxLength: 14 }),
      )
      .map(([first, rest]) => [first, ...rest].join(''));
    const separators = fc.array(
      fc.string({ unit: fc.constantFrom(...' -.()\u00a0\u2011\u2013\u200e\u202c'), maxLength: 2 }),
      {
        minLength: 16,
        maxLength: 16,
      },
    );
    await fc.assert(
      fc.asyncProperty(digits, separators, async (number, between) => {
        const phone = [...`+${number}`].map((character, index) => `${between[index]}${character}`).join('');
        fc.pre(!/[(][^0-9()]*0[^0-9()]*[)]/.test(phone));
        expect((await create({ phone })).body.phone).toBe(`+${number}`);
      }),
      { numRuns: 50 },
    );
  });

  test('anything else is refused', async () => {
    const almost = fc.string({ unit: fc.constantFrom(...'+0123456789 x/'), minLength: 1, maxLength: 18 });
    await fc.assert(
      fc.asyncProperty(almost, async (phone) => {
        const answer = await create({ phone });
        const digits = phone.replaceAll(' ', '');
        if (/^\+[1-9]\d{6,14}$/.test(digits)) expect(answer.body.phone).toBe(digits);
        else expectInvalid(answer, 'phone');
      }),
      { numRuns: 60 },
    );
  });
});
