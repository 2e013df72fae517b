import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type https from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { NetworkPolicy } from '../../src/modules/webhooks/infrastructure/network-policy';
import { type Outcome, WebhookSender } from '../../src/modules/webhooks/infrastructure/webhook-sender';
import type { Configuration } from '../../src/platform/config/configuration';
import type { Logger } from '../../src/platform/logging/logger';

export function send(sender: WebhookSender, url: string): Promise<Outcome> {
  const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
  return sender.send({ url, id: 'evt_1', body: '{}', secrets }, new Date());
}

/** Senders without a service around them, and the receivers that they are tried on. */
export class SenderBench {
  /** What the operator is told. */
  readonly logged: object[] = [];
  private steps: (() => unknown)[] = [];
  private readonly logger: Logger = {
    debug: () => undefined,
    info: (fields: object | string) => {
      if (typeof fields === 'object') this.logged.push(fields);
    },
    warn: () => undefined,
    error: () => undefined,
  };

  /** Sees to it at the next `clear`. */
  undo(step: () => unknown): void {
    this.steps.push(step);
  }

  async clear(): Promise<void> {
    for (const step of this.steps) await step();
    this.steps = [];
    this.logged.length = 0;
  }

  senderFor(allowed: string[], resolver = new Resolver()): WebhookSender {
    const configuration = { webhookAllowedNetworks: allowed } as unknown as Configuration;
    const sender = new WebhookSender(new NetworkPolicy(configuration, resolver), this.logger);
    this.undo(() => sender.onApplicationShutdown());
    return sender;
  }

  /** A receiver that does with a connection as it likes. */
  receiverThat(treats: (socket: Socket, connections: number) => void): Promise<string> {
    let connections = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      treats(socket, ++connections);
    });
    return this.listening(server, 'http');
  }

  async listening(server: Server | https.Server, protocol: string): Promise<string> {
    const open = new Set<Socket>();
    server.on('connection', (socket: Socket) => open.add(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.undo(() => {
      for (const socket of open) socket.destroy();
      server.close();
    });
    return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }
}
