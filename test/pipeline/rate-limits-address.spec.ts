import { expectRefusal, rateOf } from '../support/expect-refusal';
import { Client } from '../support/http-client';
import { exchange, rawRequest } from '../support/raw-http';
import { startGala, type TestGala } from '../support/start-gala';

const ADDRESS = 5;
const rateLimits = { reads: 100, writes: 100, address: ADDRESS };

/** An instance with nothing counted yet; the loopback network plays the proxy where one is trusted. */
async function start(trustedProxies: string[] = [], publicUrl = 'http://localhost:3000'): Promise<TestGala> {
  return startGala({ configuration: { rateLimits, trustedProxies, publicUrl: new URL(publicUrl) } });
}

let gala: TestGala;
afterEach(() => gala.stop());

const from = (address: string, key?: string) =>
  new Client(gala.baseUrl, key).get('/v1/me', { headers: { 'X-Forwarded-For': address } });

describe('requests without a valid credential', () => {
  test('are 401 up to their address’s limit and 429 beyond, counting down by one', async () => {
    gala = await start();
    for (let left = ADDRESS - 1; left >= 0; left--) {
      const answer = await gala.anonymous.get('/v1/me');
      expectRefusal(answer, 401);
      expect(rateOf(answer)).toMatchObject({ limit: ADDRESS, remaining: left });
    }
    const refused = await gala.anonymous.get('/v1/me');
    expectRefusal(refused, 429);
    expect(rateOf(refused)).toMatchObject({ limit: ADDRESS, remaining: 0 });
    expectRefusal(await new Client(gala.baseUrl, 'gala_live_wrong').post('/v1/leads', '{'), 429);
  });

  test('count alike, whether a key is missing, wrong or sent twice, whatever the path and method', async () => {
    gala = await start();
    const headers = { Authorization: ['Bearer a', 'Bearer b'] };
    const answers = [
      await gala.anonymous.get('/v1/me'),
      await gala.anonymous.post('/v1/leads', '{'),
      await new Client(gala.baseUrl, 'gala_live_wrong').delete('/v1/nope'),
      await gala.anonymous.get('/v1/me', { headers }),
    ];
    expect(answers.map((answer) => rateOf(answer).remaining)).toEqual([4, 3, 2, 1]);
  });

  test('take nothing from a good key at the same address, nor does it take from them', async () => {
    gala = await start();
    const client = await (await gala.createWorkspace()).client();
    for (let count = 0; count < 3 * ADDRESS; count++) await gala.anonymous.get('/v1/me');
    const answer = await client.get('/v1/me');
    expect({ status: answer.status, ...rateOf(answer) }).toMatchObject({
      status: 200,
      limit: 100,
      remaining: 99,
    });
    expectRefusal(await gala.anonymous.get('/v1/me'), 429);
  });

  test('that are malformed are always 400, and count', async () => {
    gala = await start();
    for (let count = 0; count < 2 * ADDRESS; count++) {
      const answer = await exchange(gala.baseUrl, 'GARBAGE\r\n\r\n');
      expectRefusal(answer, 400);
      expect(rateOf(answer).remaining).toBe(Math.max(0, ADDRESS - 1 - count));
    }
    expectRefusal(await exchange(gala.baseUrl, rawRequest('GET /v1/me HTTP/1.1')), 429);
  });

  test('that are to be redirected are always redirected, and count', async () => {
    gala = await start([], 'https://api.gala.test');
    for (let count = 0; count < 2 * ADDRESS; count++) {
      const answer = await gala.anonymous.get('/v1/me');
      expect({ status: answer.status, ...rateOf(answer) }).toMatchObject({
        status: 301,
        limit: ADDRESS,
        remaining: Math.max(0, ADDRESS - 1 - count),
      });
    }
  });
});

describe('whose address counts', () => {
  test('X-Forwarded-For is nobody’s word without trusted proxies', async () => {
    gala = await start();
    for (let count = 0; count < ADDRESS; count++) expectRefusal(await from(`203.0.113.${count}`), 401);
    expectRefusal(await from('203.0.113.99'), 429);
  });

  test('X-Forwarded-For counts when a trusted proxy says it', async () => {
    gala = await start(['loopback']);
    for (let count = 0; count < ADDRESS; count++) expectRefusal(await from('203.0.113.1'), 401);
    expectRefusal(await from('203.0.113.1'), 429);
    expectRefusal(await from('203.0.113.2'), 401);
  });

  test('what a client puts in front of the proxy’s own entry is ignored', async () => {
    gala = await start(['127.0.0.1']);
    for (let count = 0; count < ADDRESS; count++) {
      expectRefusal(await from(`198.51.100.${count}, 203.0.113.1`), 401);
    }
    expectRefusal(await from('198.51.100.99, 203.0.113.1'), 429);
  });

  test('a proxy that is not on the list is not believed', async () => {
    gala = await start(['10.0.0.0/8']);
    for (let count = 0; count < ADDRESS; count++) expectRefusal(await from(`203.0.113.${count}`), 401);
    expectRefusal(await from('203.0.113.99'), 429);
  });

  test('a network of IPv6 counts as one caller, another one as another', async () => {
    gala = await start(['loopback']);
    for (let count = 0; count < ADDRESS; count++) expectRefusal(await from(`2001:db8:1:2::${count}:1`), 401);
    expectRefusal(await from('2001:db8:1:2:ffff:ffff:ffff:ffff'), 429);
    expectRefusal(await from('2001:db8:1:3::1'), 401);
  });

  test('an IPv4 address is the same one in IPv6’s clothes', async () => {
    gala = await start(['loopback']);
    for (let count = 0; count < ADDRESS; count++) expectRefusal(await from('203.0.113.7'), 401);
    expectRefusal(await from('::ffff:203.0.113.7'), 429);
    expectRefusal(await from('::ffff:203.0.113.8'), 401);
  });

  test('a port that a proxy adds is no part of the address, of the client’s or of a proxy’s', async () => {
    gala = await start(['loopback', '10.0.0.0/8']);
    const v4 = ['203.0.113.7:49152', '203.0.113.7:1', '203.0.113.7', '203.0.113.7:2, 10.0.0.1:80'];
    for (const address of [...v4, '198.51.100.1:9,203.0.113.7:3 ,10.0.0.1:8,\t10.0.0.2:9']) {
      expectRefusal(await from(address), 401);
    }
    expectRefusal(await from('[::ffff:203.0.113.7]:4'), 429);
    const v6 = ['[2001:db8::1]:49152', '[2001:db8::1]', '2001:db8::1', '[2001:DB8::1]:2', '[2001:db8::2]:3'];
    for (const address of v6) expectRefusal(await from(address), 401);
    expectRefusal(await from('[2001:db8::1]:5'), 429);
    expectRefusal(await from('203.0.113.8:49152'), 401);
  });

  test('garbage in X-Forwarded-For neither breaks anything nor frees anyone', async () => {
    gala = await start(['loopback']);
    for (const address of [
      '',
      ',',
      'x',
      '999.1.1.1',
      '::::',
      '<script>',
      '1.2.3.4:80',
      '[::1]',
      'x'.repeat(5000),
    ]) {
      expect([401, 429]).toContain((await from(address)).status);
    }
    const client = await (await gala.createWorkspace()).client();
    expect((await from('x', client.key)).status).toBe(200);
  });
});
