import type { Socket } from 'node:net';

const callbacks = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once the connection has ended, unless it is told in time not to. One listener serves all requests of a
 * connection: those that are pipelined have responses that never tell of its end.
 *
 * @returns what takes the callback back
 */
export function onConnectionEnd(socket: Socket, callback: () => void): () => void {
  let ofSocket = callbacks.get(socket);
  if (!ofSocket) {
    const all = new Set<() => void>();
    socket.once('close', () => all.forEach((each) => each()));
    callbacks.set(socket, all);
    ofSocket = all;
  }
  const all = ofSocket.add(callback);
  return () => void all.delete(callback);
}
