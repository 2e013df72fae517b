import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import { startGala, type TestGala } from '../support/start-gala';
import { challengeOf, newApp, offered, type TestApp } from './support';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
/** Of RFC 7636 appendix B. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

let gala: TestGala;
let app: TestApp;
let publicApp: TestApp;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: new FakeClock() }] });
  [app, publicApp] = [await newApp(gala), await newApp(gala, { isPublic: true })];
});
afterAll(() => gala.stop());

test('the example of RFC 7636 appendix B works', async () => {
  const code = await app.code({ code_challenge: CHALLENGE, code_challenge_method: 'S256' });
  expect((await app.redeem(code, { code_verifier: VERIFIER })).status).toBe(200);
});

test('a public client proves itself by PKCE alone', async () => {
  const code = await publicApp.code(challengeOf(VERIFIER));
  expect((await publicApp.redeem(code, { code_verifier: VERIFIER })).status).toBe(200);
});

describe('refused, and the code is spent', () => {
  const other = 'x'.repeat(43);
  const cases: [what: string, parameters: Record<string, string>, verifier: Record<string, string>][] = [
    ['a challenge and no verifier', challengeOf(VERIFIER), {}],
    ['a challenge and a blank verifier', challengeOf(VERIFIER), { code_verifier: '' }],
    ['a verifier and no challenge', {}, { code_verifier: VERIFIER }],
    ['another verifier', challengeOf(VERIFIER), { code_verifier: other }],
    ['the challenge itself', challengeOf(VERIFIER), { code_verifier: CHALLENGE }],
    ['a verifier of 42 characters', challengeOf('x'.repeat(42)), { code_verifier: 'x'.repeat(42) }],
    ['a verifier of 129 characters', challengeOf('x'.repeat(129)), { code_verifier: 'x'.repeat(129) }],
    ['a verifier with other characters', challengeOf(`${other}+`), { code_verifier: `${other}+` }],
  ];
  test.each(cases)('%s', async (_, parameters, verifier) => {
    const code = await app.code(parameters);
    const wrong = await app.redeem(code, verifier);
    expect(wrong.status).toBe(400);
    expect(wrong.body.error).toMatch(/^invalid_(grant|request)$/);
    const right = await app.redeem(code, 'code_challenge' in parameters ? { code_verifier: VERIFIER } : {});
    expect(right).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

test.each([43, 128])('a verifier of %i characters is good', async (length) => {
  const verifier = '~'.repeat(length);
  const code = await app.code(challengeOf(verifier));
  expect((await app.redeem(code, { code_verifier: verifier })).status).toBe(200);
});

describe('not even asked of the person', () => {
  const cases: [what: string, who: () => TestApp, parameters: Record<string, string>][] = [
    ['a public client without a challenge', () => publicApp, {}],
    ['the method plain', () => app, { code_challenge: VERIFIER, code_challenge_method: 'plain' }],
    ['no method, which means plain', () => app, { code_challenge: CHALLENGE }],
    ['a method without a challenge', () => app, { code_challenge_method: 'S256' }],
    ['another method', () => app, { code_challenge: CHALLENGE, code_challenge_method: 's256' }],
    ['too short a challenge', () => app, { code_challenge: 'abc', code_challenge_method: 'S256' }],
    ['a padded challenge', () => app, { code_challenge: `${CHALLENGE}=`, code_challenge_method: 'S256' }],
    ['an empty challenge', () => app, { code_challenge: '', code_challenge_method: 'S256' }],
  ];
  test.each(cases)('%s', async (_, who, parameters) => {
    const { to, parameters: answer } = offered(await who().decide(who().path({ ...parameters, state: 's' })));
    expect(to).toBe(who().redirectUri);
    expect(answer).toMatchObject({ error: 'invalid_request', state: 's' });
    expect(answer).not.toHaveProperty('code');
  });
});

test('a public client with a secret, and a confidential one without, are unknown', async () => {
  const code = await publicApp.code(challengeOf(VERIFIER));
  const withSecret = await publicApp.redeem(code, { code_verifier: VERIFIER, client_secret: 'x' });
  expect(withSecret).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  const without = await app.redeem(await app.code(), { client_secret: '' });
  expect(without).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  expect((await publicApp.redeem(code, { code_verifier: VERIFIER })).status).toBe(200);
});

test('PKCE doesn’t let one app use the code of another', async () => {
  const stranger = await newApp(gala, { isPublic: true });
  const code = await publicApp.code(challengeOf(VERIFIER));
  const stolen = await stranger.redeem(code, { code_verifier: VERIFIER });
  expect(stolen).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await publicApp.redeem(code, { code_verifier: VERIFIER })).status).toBe(200);
});
