import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Database } from '../../../platform/persistence/database';

const FLUSH_INTERVAL_MS = 10_000;

/** Keeps `lastUsedAt` up to date within seconds, without a write for every request. */
@Injectable()
export class ApiKeyUsage implements OnModuleInit, OnApplicationShutdown {
  private lastUses = new Map<string, Date>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  record(keyUuid: string, at: Date): void {
    this.lastUses.set(keyUuid, at);
  }

  private async flush(): Promise<void> {
    if (this.lastUses.size === 0) return;
    const uses = this.lastUses;
    this.lastUses = new Map();
    try {
      await this.database.query({
        text: `UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
               FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at) WHERE api_keys.id = used.id`,
        values: [[...uses.keys()], [...uses.values()]],
      });
    } catch (error) {
      // The next use of each key makes up for it.
      this.logger.warn(describeError(error), 'last uses of API keys could not be stored');
    }
  }
}
