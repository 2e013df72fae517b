import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { RawConnection, rawRequest } from '../support/raw-http';
import { startGala, type TestGala } from '../support/start-gala';
import { until } from '../support/until';

const KIB = 1024;
const LIMIT = 256 * KIB;
const HUGE = 20 * KIB * KIB;
const JSON_TYPE = 'Content-Type: application/json';

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

const padded = (bytes: number) => '{"email":"ana@example.com"}'.padEnd(bytes, ' ');
const chunked = (text: string, size = text.length) => {
  const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
  return [...pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`), '0\r\n\r\n'].join('');
};
const leadCount = async () => (await client.get('/v1/leads?limit=1')).body.pagination.total as number;

async function ask(headers: string[], body: string) {
  const connection = await RawConnection.open(gala.baseUrl);
  void connection.send(rawRequest('POST /v1/leads HTTP/1.1', [authorization, ...headers], body));
  const answer = (await connection.answer())!;
  connection.destroy();
  return answer;
}

describe('a body of exactly 256 KiB', () => {
  test('is taken when its length is announced', async () => {
    const answer = await ask([JSON_TYPE, `Content-Length: ${LIMIT}`], padded(LIMIT));
    expect(answer.status).toBe(201);
  });

  test.each([7, 1000, LIMIT])('is taken in chunks of %i bytes', async (size) => {
    const answer = await ask([JSON_TYPE, 'Transfer-Encoding: chunked'], chunked(padded(LIMIT), size));
    expect(answer.status).toBe(201);
  });
});

describe('a body of one byte more', () => {
  test('is 400 and creates nothing, announced or in chunks', async () => {
    const before = await leadCount();
    const text = padded(LIMIT + 1);
    expectRefusal(await ask([JSON_TYPE, `Content-Length: ${LIMIT + 1}`], text), 400);
    expectRefusal(await ask([JSON_TYPE, 'Transfer-Encoding: chunked'], chunked(text, 4096)), 400);
    expect(await leadCount()).toBe(before);
  });

  test('is counted in bytes, not in characters', async () => {
    const name = 'é'.repeat(LIMIT / 2);
    expectRefusal(await client.post('/v1/leads', { email: 'ana@example.com', name }), 400);
  });
});

test('a field that is too long in a body that isn’t is 422', async () => {
  const name = 'x'.repeat(200 * KIB);
  const answer = await client.post('/v1/leads', { email: 'ana@example.com', name });
  expectRefusal(answer, 422, { field: 'name' });
  expect(answer.text.length).toBeLessThan(1000);
});

describe.each(['announced', 'chunked'])('a body of 20 MB, %s', (kind) => {
  const framing = kind === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${HUGE}`;
  const block = Buffer.alloc(64 * KIB, ' ');
  const piece =
    kind === 'chunked' ? Buffer.concat([Buffer.from('10000\r\n'), block, Buffer.from('\r\n')]) : block;

  /** Sends on and on; tells how much had gone out when the answer came, and whether the connection lived. */
  async function upload(headers: string[]) {
    const connection = await RawConnection.open(gala.baseUrl);
    void connection.send(rawRequest('POST /v1/leads HTTP/1.1', [...headers, JSON_TYPE, framing]));
    let sent = 0;
    let sentWhenAnswered: number | undefined;
    const answered = connection.answer().then((answer) => {
      sentWhenAnswered = sent;
      return answer!;
    });
    while (sent < HUGE && !connection.isClosed) {
      if (sent > HUGE / 2) await answered;
      await connection.send(piece);
      sent += block.length;
    }
    if (kind === 'chunked') void connection.send('0\r\n\r\n');
    return { connection, answer: await answered, sentWhenAnswered: sentWhenAnswered! };
  }

  test.each([
    ['with a key', () => [authorization], 400],
    ['without a key', () => [], 401],
    ['with a wrong key', () => ['Authorization: Bearer gala_live_wrong'], 401],
  ] as [string, () => string[], number][])(
    'is refused while it is still being sent, and the connection is usable or closed: %s',
    async (_, headers, status) => {
      const { connection, answer, sentWhenAnswered } = await upload(headers());
      expectRefusal(answer, status);
      expect(sentWhenAnswered).toBeLessThan(HUGE);
      void connection.send(rawRequest('GET /v1/me HTTP/1.1', [authorization]));
      const next = await connection.answer();
      expect([200, undefined]).toContain(next?.status);
      connection.destroy();
    },
  );
});

describe('a client that goes away', () => {
  test('with half its body sent creates nothing and is logged as gone', async () => {
    const before = await leadCount();
    for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
      const id = `gone-${framing.slice(0, 3)}`;
      const headers = [authorization, JSON_TYPE, framing, `X-Request-Id: ${id}`];
      const half = framing.startsWith('Content') ? padded(50) : '32\r\n{"email":"ana@example.com"}';
      const connection = await RawConnection.open(gala.baseUrl);
      await connection.send(rawRequest('POST /v1/leads HTTP/1.1', headers, half));
      connection.socket.end();
      const answer = await connection.answer();
      if (answer) expectRefusal(answer, 400);
      connection.destroy();
    }
    expect(await leadCount()).toBe(before);
  });

  test('with its whole body sent but without waiting has its lead created once', async () => {
    const before = await leadCount();
    const body = padded(100);
    const headers = [authorization, JSON_TYPE, 'Content-Length: 100', 'X-Request-Id: impatient'];
    const connection = await RawConnection.open(gala.baseUrl);
    await connection.send(rawRequest('POST /v1/leads HTTP/1.1', headers, body));
    connection.destroy();
    const isLogged = () => gala.logged.some((line) => line.includes('"impatient"'));
    await until(isLogged, 'the request to be logged');
    expect(gala.logged.filter((line) => line.includes('"impatient"'))).toHaveLength(1);
    expect(await leadCount()).toBeLessThanOrEqual(before + 1);
  });

  test('one that sends a byte at a time is answered like any other', async () => {
    const body = '{"email":"slow@example.com"}';
    const connection = await RawConnection.open(gala.baseUrl);
    const headers = [authorization, JSON_TYPE, `Content-Length: ${body.length}`];
    for (const byte of rawRequest('POST /v1/leads HTTP/1.1', headers, body)) await connection.send(byte);
    expect((await connection.answer())?.status).toBe(201);
    connection.destroy();
  });
});
