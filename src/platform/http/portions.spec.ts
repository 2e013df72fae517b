import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { inPortions } from './portions';

/** What arrives of a body within each turn of the event loop. */
async function turnsOf(chunks: number[]): Promise<number[]> {
  const body = Readable.from(
    chunks.map((size) => Buffer.alloc(size)),
    { highWaterMark: 1000 },
  );
  const turns = [0];
  body.on('data', inPortions(body as IncomingMessage));
  body.on('data', ({ length }: Buffer) => (turns[turns.length - 1]! += length));
  const state = { isOver: false };
  body.on('end', () => (state.isOver = true));
  while (!state.isOver) {
    await turnOfTheLoop();
    turns.push(0);
  }
  return turns.filter((bytes) => bytes > 0);
}

const KIB = 1024;

test('a large body is read in portions, with a turn of the event loop between them', async () => {
  expect(await turnsOf([64 * KIB, 64 * KIB, 64 * KIB])).toEqual([64 * KIB, 64 * KIB, 64 * KIB]);
});

test('small chunks are read as they come', async () => {
  const turns = await turnsOf(Array<number>(200).fill(KIB));
  expect(turns.reduce((sum, bytes) => sum + bytes)).toBe(200 * KIB);
  expect(Math.max(...turns)).toBeLessThanOrEqual(32 * KIB);
  expect(turns.length).toBeLessThan(20);
});
