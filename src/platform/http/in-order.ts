import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests a client may send ahead on a connection, beside the one that is being answered. */
const MAX_AHEAD = 16;

type Waiting = [IncomingMessage, ServerResponse];

/**
 * Handles the requests of one connection one after the other, in the order in which their answers go out (RFC 9112
 * section 9.3.2). Node would start all pipelined ones at once, and never tell those whose turn to be written doesn't come
 * that the connection has ended. A client that sends more ahead than it may loses its connection.
 */
export function inOrder(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, Waiting[]>();

  function start(socket: Socket, [request, response]: Waiting): void {
    response.once('close', () => next(socket));
    handle(request, response);
  }

  function next(socket: Socket): void {
    const first = socket.destroyed ? undefined : waiting.get(socket)!.shift();
    if (first) start(socket, first);
    else waiting.delete(socket);
  }

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const queue = waiting.get(socket);
    if (!queue) {
      waiting.set(socket, []);
      start(socket, [request, response]);
    } else if (queue.length < MAX_AHEAD) {
      queue.push([request, response]);
    } else {
      socket.destroy();
    }
  };
}
