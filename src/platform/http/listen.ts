import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A port that can't be had, with what to do about it. */
export class PortUnavailable extends Error {}

/** @param variable the environment variable that chooses the port */
export async function listen(server: Server, port: number, variable: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new PortUnavailable(problem(error.code, port, variable), { cause: error }));
    });
    server.listen(port, resolve);
  });
}

function problem(code: string | undefined, port: number, variable: string): string {
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another process. Stop that one, or choose another port with ${variable}.`;
  }
  if (code === 'EACCES')
    return `Port ${port} may not be opened by this user. Choose one above 1023 with ${variable}.`;
  return `Port ${port} can't be opened (${code}). Choose another one with ${variable}.`;
}

/**
 * Prepares a server for a quick end. The returned function, called before `close`, keeps connections from holding it
 * up: those that never sent a byte end at once, the others with the answer that is under way, and all after `limitMs`.
 */
export function trackConnections(server: Server): (limitMs: number) => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return (limitMs) => {
    server.keepAliveTimeout = 1;
    for (const socket of sockets) {
      if (socket.bytesRead === 0) socket.destroy();
    }
    setTimeout(() => server.closeAllConnections(), limitMs).unref();
  };
}
