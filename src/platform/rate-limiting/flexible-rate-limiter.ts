import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import type { Configuration } from '../config/configuration';
import type { Logger } from '../logging/logger';
import { isWorker } from '../workers/worker';
import { type Bucket, RateLimiter, type RateState } from './rate-limiter';
import { createRedis, type Redis } from './redis';

const MINUTE = 60;
const QUARTER = 900;
const HOUR = 3600;
const REDIS_TIMEOUT_MS = 500;

/**
 * Counts in memory, which for workers is that of their primary process, or in Redis when several instances share the
 * limits. While Redis is away each instance counts for itself, so that the API goes on answering.
 */
export class FlexibleRateLimiter extends RateLimiter implements OnModuleInit, OnApplicationShutdown {
  private readonly limiters: Record<Bucket, { limit: number; limiter: RateLimiterAbstract }>;

  constructor(
    { rateLimits }: Configuration,
    private readonly redis?: Redis,
  ) {
    super();
    this.limiters = {
      reads: this.createLimiter('reads', rateLimits.reads, MINUTE),
      writes: this.createLimiter('writes', rateLimits.writes, MINUTE),
      address: this.createLimiter('address', rateLimits.address, MINUTE),
      tries: this.createLimiter('tries', 10, QUARTER),
      triesOnAccount: this.createLimiter('triesOnAccount', 100, HOUR),
      triesFromAddress: this.createLimiter('triesFromAddress', 100, QUARTER),
      mails: this.createLimiter('mails', 5, HOUR),
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
    const { limit, limiter } = this.limiters[bucket];
    try {
      return toState(await limiter.consume(subject), limit, false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return toState(refusal, limit, true);
      throw refusal;
    }
  }

  async giveBack(bucket: Bucket, subject: string): Promise<void> {
    await this.limiters[bucket].limiter.reward(subject);
  }

  private createLimiter(bucket: Bucket, limit: number, windowSeconds: number) {
    return { limit, limiter: this.createStore(`gala:rate:${bucket}`, limit, windowSeconds) };
  }

  private createStore(keyPrefix: string, points: number, duration: number): RateLimiterAbstract {
    const options = { keyPrefix, points, duration };
    const inMemory = isWorker ? new RateLimiterCluster(options) : new RateLimiterMemory(options);
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
}

export async function createRateLimiter(configuration: Configuration, logger: Logger): Promise<RateLimiter> {
  const { redisUrl } = configuration;
  return new FlexibleRateLimiter(configuration, redisUrl ? await createRedis(redisUrl, logger) : undefined);
}

function toState(result: RateLimiterRes, limit: number, exceeded: boolean): RateState {
  return {
    limit,
    remaining: result.remainingPoints,
    reset: Math.ceil((Date.now() + result.msBeforeNext) / 1000),
    retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    exceeded,
  };
}
