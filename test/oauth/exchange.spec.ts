import { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { basic, newApp, postForm, type TestApp } from './support';

let gala: TestGala;
let app: TestApp;
beforeAll(async () => {
  gala = await startGala();
  app = await newApp(gala);
});
afterAll(() => gala.stop());

const tokens = (scope = 'leads:read leads:write') => ({
  access_token: expect.stringMatching(/^gala_at_[A-Za-z0-9_-]{43}$/),
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: expect.stringMatching(/^gala_rt_[A-Za-z0-9_-]{43}$/),
  scope,
  workspace_id: app.owner.workspaceId,
});

test('the exchange as the specification writes it, letter by letter', async () => {
  const { id, owner, redirectUri } = app;
  const place = `client_id=${id}&redirect_uri=${encodeURIComponent(redirectUri)}`;
  const path = `/oauth/authorize?${place}&scope=leads:read+leads:write&state=f3Jk9`;
  const sentBack = await app.decide(path, { workspace: owner.workspaceId });
  const location = new URL(sentBack.headers.location!);
  expect(location.searchParams.get('state')).toBe('f3Jk9');
  const body = JSON.stringify({
    code: location.searchParams.get('code'),
    client_id: id,
    client_secret: app.secret,
    redirect_uri: redirectUri,
    grant_type: 'authorization_code',
  });
  const answer = await gala.anonymous.request('POST', '/oauth/token', body, {
    headers: { 'Content-Type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(tokens());
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'content-type': expect.stringMatching(/^application\/json/),
  });
  expect((await new Client(gala.baseUrl, answer.body.access_token).get('/v1/leads')).status).toBe(200);
});

describe('the app shows who it is', () => {
  const exchange = async () => ({
    grant_type: 'authorization_code',
    code: await app.code(),
    redirect_uri: app.redirectUri,
  });
  const formEncoded = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const post = (fields: Record<string, string>, headers: Record<string, string>) =>
    postForm(gala.anonymous, '/oauth/token', fields, headers);

  test('in a form', async () => {
    expect((await app.redeem(await app.code())).body).toEqual(tokens());
  });

  test('by HTTP Basic, as it is', async () => {
    const answer = await post(await exchange(), basic(app.id, app.secret));
    expect(answer.body).toEqual(tokens());
  });

  test('by HTTP Basic, form-encoded first', async () => {
    const answer = await post(await exchange(), basic(formEncoded(app.id), formEncoded(app.secret!)));
    expect(answer.body).toEqual(tokens());
  });

  test('by HTTP Basic, the scheme in any case, with the same client_id in the body', async () => {
    const { Authorization } = basic(app.id, app.secret);
    const headers = { Authorization: Authorization.replace('Basic', 'bAsIc') };
    const answer = await post({ ...(await exchange()), client_id: app.id }, headers);
    expect(answer.body).toEqual(tokens());
  });

  test('by HTTP Basic with a body of JSON', async () => {
    const headers = basic(app.id, app.secret);
    const answer = await gala.anonymous.post('/oauth/token', await exchange(), { headers });
    expect(answer.body).toEqual(tokens());
  });

  test.each([
    ['the same secret in the body as well', () => ({ client_id: app.id, client_secret: app.secret! })],
    ['another client_id in the body', () => ({ client_id: 'app_01h455vb4pex5vsknk084sn02q' })],
  ])('not by HTTP Basic and %s; the code is good afterwards', async (_, more) => {
    const fields = await exchange();
    const answer = await post({ ...fields, ...more() }, basic(app.id, app.secret));
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect((await app.redeem(fields.code)).status).toBe(200);
  });

  test('not in the query: a secret there ends up in logs', async () => {
    const query = `client_id=${app.id}&client_secret=${app.secret}`;
    const answer = await post(await exchange(), {});
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const inQuery = await postForm(gala.anonymous, `/oauth/token?${query}`, await exchange());
    expect(inQuery).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

test('what is issued looks the same raw, form-encoded, and in a URL', async () => {
  const issued: string[] = [];
  for (let count = 0; count < 20; count++) {
    const { id, secret } = await newApp(gala);
    issued.push(id, secret!);
  }
  for (const text of issued) expect(encodeURIComponent(text)).toBe(text);
});

test('parameters that it does not know, and blank ones, count as not given', async () => {
  const more = { resource: 'https://api.example.com', code_verifier: '', scope: '' };
  expect((await app.redeem(await app.code(), more)).status).toBe(200);
});

test('a blank or missing scope asks for all that the app has registered; each scope counts once', async () => {
  expect((await app.install()).scope).toBe('leads:read leads:write');
  expect((await app.install({ scope: 'leads:read leads:read' })).scope).toBe('leads:read');
});
