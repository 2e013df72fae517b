import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { describeError } from '../logging/describe-error';
import { Logger } from '../logging/logger';
import { WatchfulClient } from './watchful-client';

const RECONNECT_AFTER_MS = 1000;

/** Hears what is said with NOTIFY, on a connection of its own. What is said while it is away is missed: poll as well. */
@Injectable()
export class Notifications {
  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
  ) {}

  /** Calls back with everything that is said on the channel, and with nothing each time the connection is there again. */
  listen(channel: string, heard: (said?: string) => void): { stop(): Promise<void> } {
    const stopping = new AbortController();
    const listening = this.keepListening(channel, heard, stopping.signal);
    return {
      async stop() {
        stopping.abort();
        await listening;
      },
    };
  }

  private async keepListening(
    channel: string,
    heard: (said?: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { url } = this.dataSource.options as { url?: string };
    while (!signal.aborted) {
      const client = new WatchfulClient({
        connectionString: url,
        application_name: 'gala-listen',
        connectionTimeoutMillis: 5000,
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
      });
      const ended = new Promise<void>((resolve) => {
        client.once('end', resolve);
        client.once('error', () => resolve());
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      try {
        client.on('notification', ({ payload = '' }) => heard(payload));
        await client.connect();
        await client.query(`LISTEN ${channel}`);
        heard();
        await ended;
      } catch (error) {
        this.logger.warn(describeError(error), 'notifications can’t be heard at the moment');
      }
      client.destroy();
      await sleep(RECONNECT_AFTER_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
