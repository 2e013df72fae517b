import type { IncomingMessage } from 'node:http';

export const PORTION_BYTES = 32 * 1024;

/**
 * To be told of each chunk of a body: after so many bytes it lets the event loop see to everybody else. Node reads up to
 * 2 MiB of each connection in a turn of the loop, and accepts one new connection: a hundred uploads would make turns so long
 * that nobody else gets through.
 */
export function inPortions(request: IncomingMessage): (chunk: Buffer) => void {
  let taken = 0;
  return ({ length }) => {
    taken += length;
    if (taken < PORTION_BYTES) return;
    taken = 0;
    request.pause();
    setImmediate(() => request.resume());
  };
}
