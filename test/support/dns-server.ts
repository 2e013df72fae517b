import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;

/** Answers questions for IPv4 addresses (RFC 1035); every name has the same ones, and none of IPv6. */
export class DnsServer {
  /** How often it was asked for IPv4 addresses. */
  asked = 0;

  private constructor(
    private readonly socket: ReturnType<typeof createSocket>,
    private readonly addresses: (asked: number) => string[],
  ) {}

  static async start(addresses: (asked: number) => string[]): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = new DnsServer(socket, addresses);
    socket.on('message', (query, { port, address }) => socket.send(server.answer(query), port, address));
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop(): void {
    this.socket.close();
  }

  private answer(query: Buffer): Buffer {
    const nameEnd = query.indexOf(0, HEADER_BYTES) + 1;
    const question = query.subarray(HEADER_BYTES, nameEnd + 4);
    const type = query.readUInt16BE(nameEnd);
    if (type !== TYPE_A && type !== TYPE_AAAA)
      throw new Error(`This server knows no records of type ${type}.`);
    const addresses =
      type === TYPE_A ? this.addresses(++this.asked).filter((address) => isIPv4(address)) : [];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2); // an answer, without an error
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) =>
      Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    );
    return Buffer.concat([header, question, ...records]);
  }
}
