import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { until } from './until';

export interface ReceivedMail {
  recipients: string[];
  /** Headers and text, as they came over the line. */
  raw: string;
}

interface Refusal {
  status: number;
  message: string;
}

/** A mail server of one's own that keeps what it takes, or refuses it. */
export class SmtpReceiver {
  readonly received: ReceivedMail[] = [];
  refusal?: Refusal;
  refused = 0;
  private server?: SMTPServer;
  private port = 0;

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Again on the same port. */
  async start(): Promise<this> {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) => {
        if (!this.refusal) return done();
        this.refused++;
        done(Object.assign(new Error(this.refusal.message), { responseCode: this.refusal.status }));
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const recipients = envelope.rcptTo.map(({ address }) => address);
          this.received.push({ recipients, raw: Buffer.concat(chunks).toString() });
          done();
        });
      },
    });
    this.server.on('error', () => undefined); // clients that go away
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server.server, 'listening');
    this.port = (this.server.server.address() as AddressInfo).port;
    return this;
  }

  async stop(): Promise<void> {
    await new Promise<void>((stopped) => (this.server ? this.server.close(stopped) : stopped()));
  }

  /** Waits until that many mails are there. */
  async holds(count: number): Promise<ReceivedMail[]> {
    await until(
      () => this.received.length >= count,
      () => `${count} mails: ${this.received.length} came`,
    );
    return this.received;
  }

  /** The newest link to such a path that was mailed to that address; waits until there is one. */
  async linkTo(recipient: string, path: RegExp): Promise<URL> {
    const find = () =>
      this.received
        .filter(({ recipients }) => recipients.includes(recipient))
        .flatMap(({ raw }) => raw.replaceAll('=\r\n', '').match(/^https?:\/\/\S+/gm) ?? [])
        .map((link) => new URL(link))
        .findLast(({ pathname }) => path.test(pathname));
    await until(() => find() !== undefined, `a mail to ${recipient} that links to ${path}`);
    return find()!;
  }
}
