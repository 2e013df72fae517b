import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { exchange, RawConnection, rawRequest } from '../support/raw-http';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
let authorization: string;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
  authorization = `Authorization: Bearer ${client.key}`;
});
afterAll(() => gala.stop());
afterEach(async () => {
  expect((await client.get('/v1/me')).status).toBe(200);
});

const post = (headers: string[], body = '{}') => rawRequest('POST /v1/leads HTTP/1.1', headers, body);

describe('what is no HTTP request', () => {
  test.each([
    ['a garbage request line', 'GARBAGE\r\n\r\n'],
    ['random bytes', '\x00\x01\xfe\xff\x16\x03\x01\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unheard-of version', 'GET /v1/me HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['an unheard-of method', 'BREW /v1/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method in lower case', 'get /v1/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in the path', 'GET /v1/me now HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['raw bytes above ASCII in the path', 'GET /v1/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['lines that end in a bare LF', 'GET /v1/me HTTP/1.1\nHost: x\n\n'],
    ['a header without a colon', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a header name with a space', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nA B: c\r\n\r\n'],
    ['a folded header', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nA: b\r\n\x01c: d\r\n\r\n'],
    ['NUL in a header', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nA: b\x00c\r\n\r\n'],
    ['a header of 20 KB', `GET /v1/me HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['a path of 20 KB', `GET /v1/${'b'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('is 400 in the envelope, and closes the connection: %s', async (_, bytes) => {
    const connection = await RawConnection.open(gala.baseUrl);
    void connection.send(bytes);
    expectRefusal((await connection.answer())!, 400);
    await connection.closed();
  });

  test.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3']],
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['a negative length', ['Content-Length: -1']],
    ['a length that is no number', ['Content-Length: two']],
    ['a length that is no integer', ['Content-Length: 2.0']],
    ['a length beyond all numbers', ['Content-Length: 99999999999999999999999']],
    ['a transfer coding that doesn’t end in chunks', ['Transfer-Encoding: gzip']],
  ])('is 400 when its body could be read in two ways: %s', async (_, headers) => {
    expectRefusal(await exchange(gala.baseUrl, post([authorization, ...headers])), 400);
  });

  test.each([
    ['a size that is no number', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a negative size', '-2\r\n{}\r\n0\r\n\r\n'],
    ['more data than announced', '1\r\n{}\r\n0\r\n\r\n'],
  ])('is 400 when its chunks are broken: %s', async (_, chunks) => {
    const headers = [authorization, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    expectRefusal(await exchange(gala.baseUrl, post(headers, chunks)), 400);
  });

  test('does not spoil the answer to the sound request in front of it', async () => {
    const connection = await RawConnection.open(gala.baseUrl);
    void connection.send(`${rawRequest('GET /v1/me HTTP/1.1', [authorization])}GARBAGE\r\n\r\n`);
    expect((await connection.answer())?.status).toBe(200);
    expectRefusal((await connection.answer())!, 400);
    await connection.closed();
  });

  test('leaves nothing behind when its sender hangs up in the middle', async () => {
    for (const bytes of [
      '',
      'G',
      'GET /v1/me HTTP/1.1\r\nHo',
      post([authorization, 'Content-Length: 500']),
    ]) {
      const connection = await RawConnection.open(gala.baseUrl);
      await connection.send(bytes);
      connection.destroy();
    }
  });
});

describe('a request without exactly one Host', () => {
  test.each([
    ['none', ['GET /v1/me HTTP/1.1']],
    ['two', ['GET /v1/me HTTP/1.1', 'Host: a', 'Host: b']],
  ])('is 400: %s', async (_, lines) => {
    const bytes = [...lines, authorization, '', ''].join('\r\n');
    expectRefusal(await exchange(gala.baseUrl, bytes), 400);
  });

  test('is fine in HTTP/1.0', async () => {
    const bytes = ['GET /v1/me HTTP/1.0', authorization, '', ''].join('\r\n');
    expect((await exchange(gala.baseUrl, bytes)).status).toBe(200);
  });
});

describe('a request that is unusual but sound', () => {
  test('with an absolute address is routed by its path', async () => {
    const line = 'GET http://elsewhere.example/v1/me HTTP/1.1';
    expect((await exchange(gala.baseUrl, rawRequest(line, [authorization]))).status).toBe(200);
    expectRefusal(await exchange(gala.baseUrl, rawRequest(line)), 401);
  });

  test('that asks for a protocol change is answered as it is', async () => {
    const headers = [authorization, 'Connection: Upgrade', 'Upgrade: websocket'];
    const answer = await exchange(gala.baseUrl, rawRequest('GET /v1/me HTTP/1.1', headers));
    expect(answer.status).toBe(200);
  });

  test('CONNECT is 404', async () => {
    expectRefusal(await exchange(gala.baseUrl, rawRequest('CONNECT gala.test:443 HTTP/1.1')), 404);
  });

  test('that waits for leave to send its body gets it, and then its answer', async () => {
    const headers = [authorization, 'Content-Type: application/json', 'Content-Length: 2'];
    const connection = await RawConnection.open(gala.baseUrl);
    void connection.send(post([...headers, 'Expect: 100-continue'], ''));
    expect((await connection.answer())!.status).toBe(100);
    void connection.send('{}');
    expectRefusal((await connection.answer())!, 422, { field: 'email' });
    connection.destroy();
  });

  test('that expects what nobody can give is 400 in the envelope', async () => {
    const headers = [
      authorization,
      'Content-Type: application/json',
      'Content-Length: 2',
      'Expect: miracles',
    ];
    expectRefusal(await exchange(gala.baseUrl, post(headers)), 400);
  });

  test.each(['gzip, chunked', 'identity, chunked', 'chunked, chunked'])(
    'whose body is encoded in another way than in chunks is 400: %s',
    async (coding) => {
      const headers = [authorization, 'Content-Type: application/json', `Transfer-Encoding: ${coding}`];
      expectRefusal(await exchange(gala.baseUrl, post(headers, '2\r\n{}\r\n0\r\n\r\n')), 400);
    },
  );

  test('several in a row on one connection are answered in their order', async () => {
    const connection = await RawConnection.open(gala.baseUrl);
    const ids = ['one', 'two', 'three'];
    void connection.send(
      ids.map((id) => rawRequest('GET /v1/me HTTP/1.1', [authorization, `X-Request-Id: ${id}`])).join(''),
    );
    for (const id of ids) {
      const answer = (await connection.answer())!;
      expect({ status: answer.status, id: answer.headers['x-request-id'] }).toEqual({ status: 200, id });
    }
    connection.destroy();
  });
});
