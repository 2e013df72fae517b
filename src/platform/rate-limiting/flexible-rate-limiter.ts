import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { createClient } from 'redis';
import { Configuration } from '../config/configuration';
import { Logger } from '../logging/logger';
import { type Bucket, RateLimiter, type RateState } from './rate-limiter';

const WINDOW_SECONDS = 60;
const REDIS_TIMEOUT_MS = 500;

type Redis = ReturnType<typeof createClient>;

/**
 * Counts in memory, or in Redis when several instances share the limits. While Redis is away each instance counts
 * for itself, so that the API goes on answering.
 */
@Injectable()
export class FlexibleRateLimiter extends RateLimiter implements OnModuleInit, OnApplicationShutdown {
  private readonly redis?: Redis;
  private readonly limiters: Record<Bucket, RateLimiterAbstract>;

  constructor(
    private readonly configuration: Configuration,
    private readonly logger: Logger,
  ) {
    super();
    const { rateLimits, redisUrl } = configuration;
    if (redisUrl) this.redis = this.createRedis(redisUrl);
    this.limiters = {
      reads: this.createLimiter('reads', rateLimits.reads),
      writes: this.createLimiter('writes', rateLimits.writes),
      address: this.createLimiter('address', rateLimits.address),
    };
  }

  /** Doesn't wait for Redis: a service that starts without it counts in memory until it is there. */
  onModuleInit(): void {
    this.redis?.connect().catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis?.destroy();
  }

  async consume(bucket: Bucket, subject: string): Promise<RateState> {
    const limit = this.configuration.rateLimits[bucket];
    try {
      return toState(await this.limiters[bucket].consume(subject), limit, false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return toState(refusal, limit, true);
      throw refusal;
    }
  }

  private createLimiter(bucket: Bucket, points: number): RateLimiterAbstract {
    const options = { keyPrefix: `gala:rate:${bucket}`, points, duration: WINDOW_SECONDS };
    const inMemory = new RateLimiterMemory(options);
    if (!this.redis) return inMemory;
    const shared = new RateLimiterRedis({
      ...options,
      storeClient: this.redis,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
    });
    return new RLWrapperTimeouts({
      limiter: shared,
      timeoutMs: REDIS_TIMEOUT_MS,
      insuranceLimiter: inMemory,
    });
  }

  private createRedis(url: string): Redis {
    const client = createClient({
      url,
      disableOfflineQueue: true,
      // A Redis that is there but says nothing is taken for away after a few seconds, and not asked until it answers.
      pingInterval: 1000,
      socket: {
        connectTimeout: 2000,
        socketTimeout: 3000,
        reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2000),
      },
    });
    let away = false;
    client.on('error', (error: NodeJS.ErrnoException) => {
      if (!away) this.logger.warn({ code: error.code }, 'Redis is away: rate limits count per instance');
      away = true;
    });
    client.on('ready', () => {
      if (away) this.logger.info('Redis is back: rate limits are shared again');
      away = false;
    });
    return client as Redis;
  }
}

function toState(result: RateLimiterRes, limit: number, exceeded: boolean): RateState {
  return {
    limit,
    remaining: result.remainingPoints,
    reset: Math.ceil((Date.now() + result.msBeforeNext) / 1000),
    exceeded,
  };
}
