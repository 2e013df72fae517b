import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../support/service-process';

/** Ends an attack; resolves once it is over. */
export type End = () => Promise<unknown>;

const REOPEN_MS = 200;
/** Of a client that is refused. */
const PAUSE_MS = 100;

export interface BodyGroup {
  count: number;
  localAddress: string;
  path: string;
  /** Of the body, as announced. */
  length: number;
  /** At once. */
  sent: number;
  /** Bytes a second that follow. */
  trickle?: number;
}

/** Holds connections whose bodies are not sent whole. Runs in a process of its own: see hold-bodies.mjs. */
export class HeldBodies {
  private readonly process: ChildProcess;
  private output = '';

  constructor({ baseUrl }: ServiceProcess, groups: BodyGroup[]) {
    const options = JSON.stringify({ port: new URL(baseUrl).port, groups });
    this.process = spawn(process.execPath, [join(__dirname, 'hold-bodies.mjs'), options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.process.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** Resolves to how often each status was answered. */
  async end(): Promise<string> {
    if (this.process.exitCode === null) {
      const closed = once(this.process, 'close');
      this.process.kill('SIGTERM');
      await closed;
    }
    return this.output;
  }
}

export interface Reading {
  key: string;
  path: string;
  clients: number;
  /** What each does with its connection. */
  read: (socket: Socket) => void;
  /** How many requests each sends ahead. */
  pipelined?: number;
}

export function requestFor({ key, path }: Pick<Reading, 'key' | 'path'>): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** Clients that ask for a page, again and again if they are broken off, and read it as they like. */
export function readAsTheyLike({ baseUrl }: ServiceProcess, reading: Reading): End {
  const { clients, read, pipelined = 1 } = reading;
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = () => {
    if (isOver) return;
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(open, REOPEN_MS);
    });
    socket.write(requestFor(reading).repeat(pipelined));
    read(socket);
  };
  for (let count = 0; count < clients; count++) open();
  return async () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    await sleep(500);
  };
}

/** So many at once do the same again and again. Ends with how often each status was answered. */
export function repeat(
  clients: number,
  attempt: (client: number, count: number) => Promise<{ status: number }>,
): () => Promise<Record<string, number>> {
  const state = { isOver: false };
  const statuses: Record<string, number> = {};
  const work = Array.from({ length: clients }, async (_, client) => {
    for (let count = 0; !state.isOver; count++) {
      const status = await attempt(client, count).then(
        (answer) => answer.status,
        () => 'failed',
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429 || status === 'failed') await sleep(PAUSE_MS);
    }
  });
  return async () => {
    state.isOver = true;
    await Promise.all(work);
    return statuses;
  };
}
