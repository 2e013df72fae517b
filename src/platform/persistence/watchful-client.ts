import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import type { Statement } from './statement';

export interface WatchfulClientConfig extends ClientConfig {
  /** How long the server may take to answer; 0 waits for ever. */
  silenceMs?: number;
}

/**
 * Gives up a connection whose server has gone silent: frozen, or behind a network that swallows everything. The driver's
 * own `query_timeout` fails the query alone, and leaves a connection in the pool on which the next one waits in vain.
 *
 * A connection that fails never ends the process, however often the driver says so: the statements on it fail.
 */
export class WatchfulClient extends Client {
  private readonly silenceMs: number;
  private silence?: NodeJS.Timeout;

  constructor(config: WatchfulClientConfig) {
    super(config);
    this.silenceMs = config.silenceMs ?? 0;
    const heard = () => {
      clearTimeout(this.silence);
      this.silence = undefined;
    };
    this.on('drain', heard)
      .on('end', heard)
      .on('error', () => undefined);
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- It has a dozen signatures, and takes part in none.
  override query(...parameters: any[]): any {
    if (this.silenceMs) this.silence ??= setTimeout(() => this.giveUp(), this.silenceMs);
    return super.query(...(parameters as [string]));
  }

  /** The rows of one statement. */
  async rows<Row>({ text, values }: Statement): Promise<Row[]> {
    const { rows } = (await this.query(text, values)) as { rows: Row[] };
    return rows;
  }

  /** Ends the connection at once: a server that is gone wouldn't answer a farewell. */
  destroy(error?: Error): void {
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    stream.destroy(error);
  }

  private giveUp(): void {
    this.destroy(new Error(`The database has not answered for ${this.silenceMs / 1000} s.`));
  }
}
