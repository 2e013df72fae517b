import type { Socket } from 'node:net';
import { send, SenderBench } from '../support/webhook-sender';

const bench = new SenderBench();
afterEach(() => bench.clear());

/** A byte a second, for ever. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 1000);
  socket.on('close', () => clearInterval(timer));
}

const TREATMENTS: Record<string, (socket: Socket) => void> = {
  'hangs without a word': () => undefined,
  'drips its status line': (socket) => {
    socket.write('HTTP/1.1 200 O');
    drip(socket, 'K');
  },
  'drips its headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    drip(socket, 'x');
  },
  'drips its body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
    drip(socket, 'x');
  },
  'says for ever that it goes on': (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
};

test('however slowly a receiver answers, an attempt takes 15 seconds and has failed', async () => {
  const sender = bench.senderFor(['127.0.0.0/8']);
  const outcomes = await Promise.all(
    Object.entries(TREATMENTS).map(async ([name, treatment]) => {
      const url = await bench.receiverThat((socket) => socket.once('data', () => treatment(socket)));
      const { status, error, durationMs } = await send(sender, url);
      return { name, status, error, seconds: Math.round(durationMs / 1000) };
    }),
  );
  expect(outcomes).toEqual(
    Object.keys(TREATMENTS).map((name) => ({
      name,
      status: null,
      error: 'No whole answer within 15 s.',
      seconds: expect.closeTo(15, -0.5),
    })),
  );
});
