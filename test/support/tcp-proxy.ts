import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to another server that can be cut, or turned into a hole that swallows everything. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private server?: Server;
  private port = 0;
  private swallowing = false;

  private constructor(private readonly target: URL) {}

  static async to(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(target));
    await proxy.open();
    return proxy;
  }

  /** The target's address, by way of this proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  async open(): Promise<void> {
    this.swallowing = false;
    this.server = createServer((inner) => this.join(inner)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server!.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Breaks one connection, and lets the others be. */
  cutOne(): void {
    const sockets = [...this.sockets];
    sockets[Math.floor(Math.random() * sockets.length)]?.destroy();
  }

  /** Keeps every connection, lets new ones in, and passes nothing on. */
  swallow(): void {
    this.swallowing = true;
  }

  passOn(): void {
    this.swallowing = false;
  }

  private join(inner: Socket): void {
    const outer = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => this.swallowing || to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
