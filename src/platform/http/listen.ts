import type { Server } from 'node:http';

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
