import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';

/** How long a connection that seems idle may take to bring the request that is on its way. */
const LAST_CALL_MS = 1000;
/** How long connections that wait are accepted at most, should there be no end of them. */
const ACCEPT_MS = 5000;

/** Follows a server's connections and answers, so that it can end without cutting any off. */
export class Draining {
  /** With their answers that are under way or wait for one. */
  private readonly sockets = new Map<Socket, Set<ServerResponse>>();
  private accepted = 0;
  private isAnnounced = false;

  constructor(private readonly server: Server) {
    // The HTTP server's own `close` would break idle connections at once, and requests on their way with them.
    server.close = NetServer.prototype.close.bind(server) as Server['close'];
    const follow = (socket: Socket) => {
      this.sockets.set(socket, new Set());
      socket.once('close', () => this.sockets.delete(socket));
    };
    server.on('connection', () => this.accepted++);
    server.on('connection', follow).on('secureConnection', follow);
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      if (this.isAnnounced) sayGoodbye(response);
      const underWay = this.sockets.get(socket);
      underWay?.add(response);
      response.once('close', () => underWay?.delete(response));
    });
  }

  /** From now on each answer tells its client to open a new connection for what comes next. */
  announce(): void {
    this.isAnnounced = true;
    for (const underWay of this.sockets.values()) {
      for (const response of underWay) sayGoodbye(response);
    }
  }

  /**
   * Connections that wait when the port is closed are reset.
   *
   * @param turn in which at least one is accepted while any wait: by itself, a turn of the event loop
   */
  async acceptWaiting(turn: () => Promise<unknown> = () => afterReading()): Promise<void> {
    const giveUpAt = Date.now() + ACCEPT_MS;
    let before: number;
    // What is left of this turn of the event loop accepts none.
    await afterReading();
    do {
      before = this.accepted;
      await turn();
    } while (this.accepted > before && Date.now() < giveUpAt);
  }

  /** Takes no new connections; resolves when all that was asked is answered, or cut off after `limitMs`. */
  async end(limitMs: number): Promise<void> {
    const { server } = this;
    await this.acceptWaiting();
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    this.announce();
    await within(LAST_CALL_MS, ended);
    // On a busy machine what has arrived may not have been read, and would be reset unread.
    await afterReading();
    server.closeIdleConnections();
    for (const socket of this.sockets.keys()) {
      if (socket.bytesRead === 0) socket.destroy();
    }
    await within(limitMs, ended);
    server.closeAllConnections();
    await ended;
  }
}

function sayGoodbye(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

async function within(ms: number, done: Promise<void>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([done, sleep(ms, undefined, { signal: timeout.signal }).catch(() => undefined)]);
  timeout.abort();
}
