import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Resolver } from 'node:dns/promises';
import https from 'node:https';
import { Socket } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebhookSender } from '../../src/modules/webhooks/infrastructure/webhook-sender';
import { DnsServer } from '../support/dns-server';
import { send, SenderBench } from '../support/webhook-sender';
import { testWith } from '../support/requirements';

const MEGABYTE = 1024 * 1024;
const UNDELIVERABLE = 'The host has no public address that deliveries can be sent to.';

const bench = new SenderBench();
afterEach(async () => {
  jest.restoreAllMocks();
  await bench.clear();
});

const onRequest = (answer: (socket: Socket) => void) => (socket: Socket) =>
  socket.once('data', () => answer(socket));
/** Writes as fast as the other side reads. */
function pour(socket: Socket, chunk: string): void {
  const fill = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', fill);
  fill();
}

describe('answers that are no answers', () => {
  test('one that never ends costs no more than its beginning', async () => {
    let read = 0;
    for (const head of ['HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n']) {
      const url = await bench.receiverThat(
        onRequest((socket) => {
          socket.write(head);
          pour(socket, 'x'.repeat(65_536));
          socket.on('close', () => (read += socket.bytesWritten));
        }),
      );
      const outcome = await send(bench.senderFor(['127.0.0.0/8']), url);
      expect(outcome).toMatchObject({ status: 200, body: 'x'.repeat(4096), error: null });
      expect(outcome.durationMs).toBeLessThan(5000);
    }
    expect(read).toBeLessThan(64 * MEGABYTE);
  });

  test.each([
    ['headers without end', 'HTTP/1.1 200 OK\r\n', `X-Bomb: ${'x'.repeat(1000)}\r\n`],
    ['one header without end', 'HTTP/1.1 200 OK\r\nX-Bomb: ', 'x'.repeat(1000)],
    ['a reason without end', 'HTTP/1.1 200 ', 'x'.repeat(1000)],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'x'.repeat(1000)],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 'x'.repeat(1000)],
  ])('%s are a failure', async (_, head, rest) => {
    const url = await bench.receiverThat(
      onRequest((socket) => {
        socket.write(head);
        pour(socket, rest);
      }),
    );
    const outcome = await send(bench.senderFor(['127.0.0.0/8']), url);
    expect(outcome).toMatchObject({ status: null, body: null, error: expect.stringContaining('failed') });
    expect(outcome.durationMs).toBeLessThan(10_000);
  });

  test('one that breaks off before its end is a failure', async () => {
    const url = await bench.receiverThat(
      onRequest((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart')),
    );
    const outcome = await send(bench.senderFor(['127.0.0.0/8']), url);
    expect(outcome).toMatchObject({ status: null, error: 'The connection broke off.' });
  });

  test('bytes that can’t be stored are replaced', async () => {
    const url = await bench.receiverThat(
      onRequest((socket) =>
        socket.end(
          Buffer.concat([Buffer.from('HTTP/1.1 500 No\r\n\r\n'), Buffer.from([0, 0xff, 0xed, 0xa0, 0x80])]),
        ),
      ),
    );
    const { status, body } = await send(bench.senderFor(['127.0.0.0/8']), url);
    expect(status).toBe(500);
    expect(body).toMatch(/^�+$/);
  });
});

describe('connections', () => {
  test('one that was closed while it waited is no failure', async () => {
    let connections = 0;
    const url = await bench.receiverThat((socket, count) => {
      connections = count;
      let requests = 0;
      socket.on('data', () => {
        if (++requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        else socket.resetAndDestroy();
      });
    });
    const sender = bench.senderFor(['127.0.0.0/8']);
    for (let count = 0; count < 3; count++) {
      expect(await send(sender, url)).toMatchObject({ status: 200 });
      await new Promise(setImmediate);
    }
    expect(connections).toBe(3);
  });

  test('one that breaks each time is a failure', async () => {
    const url = await bench.receiverThat(onRequest((socket) => socket.resetAndDestroy()));
    const outcome = await send(bench.senderFor(['127.0.0.0/8']), url);
    expect(outcome).toMatchObject({ status: null, error: 'The connection broke off.' });
  });

  testWith('openssl')('a certificate that nobody vouches for is a failure', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gala-certificate-'));
    bench.undo(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const input = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '1',
    ];
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', [...input, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    let requests = 0;
    const server = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
      requests++;
      response.end();
    });
    const outcome = await send(bench.senderFor(['127.0.0.0/8']), await bench.listening(server, 'https'));
    expect(outcome).toMatchObject({ status: null, error: expect.stringContaining('SELF_SIGNED') });
    expect(requests).toBe(0);
  });
});

describe('names', () => {
  /** The addresses that connections are tried with. Each is refused at once, without a packet being sent. */
  function connectionAttempts(): string[] {
    const attempts: string[] = [];
    // eslint-disable-next-line @typescript-eslint/unbound-method -- It is called on the socket that it was called on.
    const connect = Socket.prototype.connect;
    jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...options: any[]) {
      this.on('connectionAttempt', (address: string) => {
        attempts.push(address);
        (this as any)._handle.connect = () => -constants.errno.ECONNREFUSED;
      });
      return Reflect.apply(connect, this, options) as Socket;
    });
    return attempts;
  }

  async function senderAsking(addresses: (asked: number) => string[]): Promise<[WebhookSender, DnsServer]> {
    const dns = await DnsServer.start(addresses);
    bench.undo(() => dns.stop());
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    resolver.setServers([dns.address]);
    return [bench.senderFor([], resolver), dns];
  }

  test('one look-up for each connection, which goes where that look-up said', async () => {
    const [sender, dns] = await senderAsking((asked) => (asked === 1 ? ['8.8.8.8'] : ['127.0.0.1']));
    const attempts = connectionAttempts();
    expect(await send(sender, 'https://rebinding.example/')).toMatchObject({ status: null });
    expect(attempts).toEqual(['8.8.8.8']);
    expect(dns.asked).toBe(1);
    expect(await send(sender, 'https://rebinding.example/')).toMatchObject({
      status: null,
      error: UNDELIVERABLE,
    });
    expect(attempts).toEqual(['8.8.8.8']);
    expect(dns.asked).toBe(2);
  });

  test.each([
    [['127.0.0.1']],
    [['8.8.8.8', '10.0.0.1']],
    [['169.254.169.254', '8.8.8.8']],
    [['100.64.0.1']],
    [['0.0.0.0']],
  ])('nobody connects to a name with the addresses %j', async (addresses) => {
    const [sender] = await senderAsking(() => addresses);
    const attempts = connectionAttempts();
    expect(await send(sender, 'https://inside.example/')).toMatchObject({
      status: null,
      error: UNDELIVERABLE,
    });
    expect(attempts).toEqual([]);
  });

  test.each(['https://127.0.0.1/', 'https://2130706433/', 'https://[::127.0.0.1]/', 'http://8.8.8.8/'])(
    'nobody connects to %s, had it been stored once',
    async (url) => {
      const attempts = connectionAttempts();
      expect(await send(bench.senderFor([]), url)).toMatchObject({ status: null, error: UNDELIVERABLE });
      expect(attempts).toEqual([]);
    },
  );

  test('an unknown name and an internal one are told alike, and the operator why', async () => {
    const outcomes = [];
    for (const addresses of [[], ['10.1.2.3'], ['127.0.0.1', '8.8.8.8']]) {
      const [sender] = await senderAsking(() => addresses);
      outcomes.push(await send(sender, 'https://database.example/'));
    }
    expect(outcomes).toEqual(
      Array(3).fill({ status: null, body: null, error: UNDELIVERABLE, durationMs: 0 }),
    );
    expect(bench.logged).toEqual([
      { host: 'database.example', reason: 'the name has no address (ENOTFOUND)' },
      { host: 'database.example', reason: '10.1.2.3 is in a network that deliveries are not sent to' },
      { host: 'database.example', reason: '127.0.0.1 is in a network that deliveries are not sent to' },
    ]);
  });
});
