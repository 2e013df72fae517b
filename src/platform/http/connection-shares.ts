import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { Metrics } from '../health/metrics';
import { addressBucket } from '../rate-limiting/rate-limits';

/** Bounds the connections that one address may hold open to this process, whatever they send or don't send. */
@Injectable()
export class ConnectionShares {
  private readonly limit: number;
  private readonly refused;
  private readonly openBy = new Map<string, number>();

  constructor({ maxConnectionsPerAddress }: Configuration, metrics: Metrics) {
    this.limit = maxConnectionsPerAddress;
    this.refused = metrics.counter({
      name: 'gala_connections_refused_total',
      help: 'Connections closed at once because their address had too many open.',
    });
  }

  /** @param isProxy tells the addresses that many clients' connections come from: they have no limit of their own */
  guard(server: Server, isProxy: (address: string) => boolean): void {
    server.on('connection', (socket: Socket) => {
      const { remoteAddress } = socket;
      // Undefined when the client has gone already.
      if (remoteAddress === undefined || isProxy(remoteAddress)) return;
      const address = addressBucket(remoteAddress);
      const open = this.openBy.get(address) ?? 0;
      if (open >= this.limit) {
        this.refused.inc();
        socket.destroy();
        return;
      }
      this.openBy.set(address, open + 1);
      socket.once('close', () => {
        const left = this.openBy.get(address)! - 1;
        if (left) this.openBy.set(address, left);
        else this.openBy.delete(address);
      });
    });
  }
}
