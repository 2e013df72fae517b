import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

export interface Seen {
  method: string;
  path: string;
  key: string | undefined;
  authorization: string | undefined;
}

/** An answer in the service's place, or that the service's own gets lost. */
type Mishap = 'lost' | { status: number; headers?: http.OutgoingHttpHeaders; body?: string };

/** Stands before the service. For each mishap in line a request comes to grief; the others are passed on. */
export class FlakyProxy {
  readonly seen: Seen[] = [];
  mishaps: Mishap[] = [];
  private readonly server: http.Server;

  constructor(private readonly target: string) {
    this.server = http.createServer((request, response) => {
      const { method, url, headers } = request;
      const key = headers['idempotency-key'] as string | undefined;
      this.seen.push({ method: method!, path: url!, key, authorization: headers.authorization });
      const mishap = this.mishaps.shift();
      if (mishap && mishap !== 'lost') {
        request.resume();
        response.writeHead(mishap.status, mishap.headers).end(mishap.body);
        return;
      }
      const forwarded = http.request(this.target + url!, { method, headers }, (answer) => {
        if (mishap) {
          answer.resume();
          answer.on('end', () => request.socket.destroy());
        } else {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        }
      });
      request.pipe(forwarded);
    });
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
