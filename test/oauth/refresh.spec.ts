import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import type { Answer } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { newApp, type TestApp, type Tokens } from './support';

const DAY = 24 * 3600;
const clock = new FakeClock('2020-01-15T09:30:00.000Z');
let gala: TestGala;
let app: TestApp;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  app = await newApp(gala);
});

async function next(token: string, more = {}): Promise<Tokens> {
  const { status, body } = await app.refresh(token, more);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

function expectInvalidGrant({ status, body }: Answer): void {
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
}

async function expectAllDead(...family: Tokens[]): Promise<void> {
  for (const tokens of family) {
    expect(await app.statusOf(tokens)).toBe(401);
    expectInvalidGrant(await app.refresh(tokens.refresh_token));
  }
}

test('new tokens of the same scopes come, and the access token before lives on until it expires', async () => {
  const first = await app.install({ scope: 'leads:read' });
  const second = await next(first.refresh_token);
  expect(second).toEqual({
    ...first,
    access_token: expect.stringMatching(/^gala_at_/),
    refresh_token: expect.stringMatching(/^gala_rt_/),
  });
  expect(second.access_token).not.toBe(first.access_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect([await app.statusOf(first), await app.statusOf(second)]).toEqual([200, 200]);
});

describe('an answer that got lost', () => {
  test.each([0.2, 1, 59, 60])('may be asked for again %i s later, and again', async (seconds) => {
    const first = await app.install();
    const lost = await next(first.refresh_token);
    clock.advance(seconds);
    const second = await next(first.refresh_token);
    const third = await next(first.refresh_token);
    for (const tokens of [first, lost, second, third]) expect(await app.statusOf(tokens)).toBe(200);
    await next(third.refresh_token);
  });

  test('61 s later is not: whoever comes then may be a thief, and the family ends', async () => {
    const first = await app.install();
    const second = await next(first.refresh_token);
    clock.advance(61);
    expectInvalidGrant(await app.refresh(first.refresh_token));
    await expectAllDead(first, second);
  });

  test('doesn’t open older generations again', async () => {
    const first = await app.install();
    const second = await next(first.refresh_token);
    const third = await next(second.refresh_token);
    expectInvalidGrant(await app.refresh(first.refresh_token));
    await expectAllDead(first, second, third);
  });

  test('nor does asking again for it lengthen the time', async () => {
    const first = await app.install();
    await next(first.refresh_token);
    clock.advance(40);
    const again = await next(first.refresh_token);
    clock.advance(21);
    expectInvalidGrant(await app.refresh(first.refresh_token));
    await expectAllDead(again);
  });
});

test('the family of one consent is no business of another’s', async () => {
  const [one, other] = [await app.install(), await app.install()];
  await next((await next(one.refresh_token)).refresh_token);
  expectInvalidGrant(await app.refresh(one.refresh_token));
  await expectAllDead(one);
  expect(await app.statusOf(other)).toBe(200);
  await next(other.refresh_token);
});

describe('scopes', () => {
  test('narrower ones may be asked for, and the whole again afterwards', async () => {
    const first = await app.install();
    const narrow = await next(first.refresh_token, { scope: 'leads:read' });
    expect(narrow.scope).toBe('leads:read');
    expect((await app.as(narrow).post('/v1/leads', { email: 'ana@example.com' })).status).toBe(403);
    expect((await next(narrow.refresh_token)).scope).toBe('leads:read leads:write');
  });

  test.each(['leads:read leads:write', 'messages:write', 'leads:read nope', 'nope'])(
    'wider ones are refused, and the token is good afterwards: %s',
    async (scope) => {
      const first = await app.install({ scope: 'leads:read' });
      const refused = await app.refresh(first.refresh_token, { scope });
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
      clock.advance(3600);
      await next(first.refresh_token);
    },
  );
});

test('another app can’t use it, and takes nothing away', async () => {
  const tokens = await app.install();
  const stranger = await newApp(gala);
  expectInvalidGrant(await stranger.refresh(tokens.refresh_token));
  await next(tokens.refresh_token);
});

test('it lives for 90 days after it was issued, and no longer', async () => {
  const first = await app.install();
  clock.advance(90 * DAY - 1);
  const second = await next(first.refresh_token);
  clock.advance(90 * DAY);
  expectInvalidGrant(await app.refresh(second.refresh_token));
});

describe('a code', () => {
  test('is good for five minutes', async () => {
    const [early, late] = [await app.code(), await app.code()];
    clock.advance(299);
    expect((await app.redeem(early)).status).toBe(200);
    clock.advance(1);
    expectInvalidGrant(await app.redeem(late));
  });

  test('used again takes along what came of it, refreshed or not, and however late', async () => {
    const code = await app.code();
    const { body: first } = await app.redeem(code);
    const second = await next(first.refresh_token);
    clock.advance(1000);
    expectInvalidGrant(await app.redeem(code));
    await expectAllDead(first, second);
  });

  test('is not spent by another app, nor is what came of it ended', async () => {
    const stranger = await newApp(gala);
    const code = await app.code();
    expectInvalidGrant(await stranger.redeem(code));
    const { status, body } = await app.redeem(code);
    expect(status).toBe(200);
    expectInvalidGrant(await stranger.redeem(code));
    expect(await app.statusOf(body)).toBe(200);
  });
});
