import { idOf, makeKey } from '../support/api-keys';
import { Client } from '../support/http-client';
import { compileService, startServiceProcess } from '../support/service-process';
import { startGala } from '../support/start-gala';

jest.setTimeout(60_000);

test('instances in processes of their own share keys, revocations and last uses', async () => {
  const compiled = compileService();
  const gala = await startGala();
  const other = await startServiceProcess(compiled.directory, { DATABASE_URL: gala.databaseUrl });
  try {
    const root = await (await gala.createWorkspace()).client();
    const { view, secret, client } = await makeKey(root, { scopes: ['leads:read'] });
    const elsewhere = new Client(other.baseUrl, secret);
    expect((await elsewhere.get('/v1/me')).body).toEqual((await client.get('/v1/me')).body);

    const inFlight = Array.from({ length: 20 }, () => elsewhere.get('/v1/leads'));
    expect((await root.delete(`/v1/api-keys/${view.id}`)).status).toBe(200);
    const later = await Promise.all(Array.from({ length: 20 }, () => elsewhere.get('/v1/leads')));
    expect(later.map(({ status }) => status)).toEqual(Array(20).fill(401));
    for (const { status } of await Promise.all(inFlight)) expect([200, 401]).toContain(status);

    const here = await makeKey(root);
    const there = new Client(other.baseUrl, root.key);
    expect((await there.delete(`/v1/api-keys/${here.view.id}`)).status).toBe(200);
    expect((await here.client.get('/v1/me')).status).toBe(401);

    const rotated = await makeKey(root);
    await new Client(other.baseUrl, rotated.secret).get('/v1/me');
    const rotation = await rotated.client.post(
      `/v1/api-keys/${rotated.view.id}/rotate`,
      { gracePeriodSeconds: 0 },
      { headers: { 'Idempotency-Key': 'rotation' } },
    );
    expect(rotation.status).toBe(201);
    expect((await new Client(other.baseUrl, rotated.secret).get('/v1/me')).status).toBe(401);

    const used = await makeKey(root);
    await new Client(other.baseUrl, used.secret).get('/v1/me');
    await other.stop();
    const { lastUsedAt } = (await root.get(`/v1/api-keys/${used.view.id}`)).body;
    expect(lastUsedAt).not.toBeNull();
  } finally {
    await other.stop();
    await gala.stop();
    compiled.remove();
  }
});

test('two services in one process keep apart: each knows its own keys, and one may end before the other', async () => {
  const [one, other] = [await startGala(), await startGala()];
  try {
    const client = await (await one.createWorkspace()).client();
    expect((await client.get('/v1/me')).status).toBe(200);
    expect((await new Client(other.baseUrl, client.key).get('/v1/me')).status).toBe(401);
    expect(await idOf(client)).toMatch(/^key_/);
  } finally {
    await other.stop();
    await one.stop();
  }
});
