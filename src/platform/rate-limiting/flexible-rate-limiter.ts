import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Configuration } from '../config/configuration';
import type { Logger } from '../logging/logger';
import { isWorker } from '../workers/worker';
import { type Bucket, RateLimiter, type RateState } from './rate-limiter';
import { createRedis, type Redis } from './redis';
import { settledWithin } from './settled-within';

const MINUTE = 60;
const QUARTER = 900;
const HOUR = 3600;
const REDIS_TIMEOUT_MS = 1000;
/** The limit of a bucket that isn't used. */
const UNLIMITED = 1_000_000_000;

interface Limit {
  limit: number;
  own: RateLimiterAbstract;
  shared?: RateLimiterAbstract;
}

/**
 * Counts in memory (with workers, in their primary process), or in Redis if several instances share the limits. While Redis is
 * unavailable, each instance counts for itself, so that the API keeps working.
 */
export class FlexibleRateLimiter extends RateLimiter implements OnModuleInit, OnApplicationShutdown {
  private readonly limits: Record<Bucket, Limit>;

  constructor(
    { rateLimits, publicRateLimits }: Configuration,
    private readonly redis?: Redis,
  ) {
    super();
    this.limits = {
      reads: this.createLimit('reads', rateLimits.reads, MINUTE),
      writes: this.createLimit('writes', rateLimits.writes, MINUTE),
      workspace: this.createLimit('workspace', rateLimits.workspace ?? UNLIMITED, MINUTE),
      address: this.createLimit('address', rateLimits.address, MINUTE),
      preflights: this.createLimit('preflights', publicRateLimits.files, MINUTE),
      pages: this.createLimit('pages', publicRateLimits.pages, MINUTE),
      files: this.createLimit('files', publicRateLimits.files, MINUTE),
      visits: this.createLimit('visits', 60, HOUR),
      questions: this.createLimit('questions', 10, HOUR),
      questionsAbout: this.createLimit('questionsAbout', 10, HOUR),
      tries: this.createLimit('tries', 10, QUARTER),
      triesOnAccount: this.createLimit('triesOnAccount', 100, HOUR),
      triesFromAddress: this.createLimit('triesFromAddress', 100, QUARTER),
      mails: this.createLimit('mails', 5, HOUR),
    };
  }

  /** Doesn't wait for Redis: until it is available, the service counts in memory. */
  onModuleInit(): void {
    this.redis?.connect().catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis?.destroy();
  }

  async consume(bucket: Bucket, subject: string): Promise<RateState> {
    const { limit } = this.limits[bucket];
    try {
      return toState(await this.ask(bucket, (limiter) => limiter.consume(subject)), limit, false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return toState(refusal, limit, true);
      throw refusal;
    }
  }

  async giveBack(bucket: Bucket, subject: string): Promise<void> {
    await this.ask(bucket, (limiter) => limiter.reward(subject));
  }

  private async ask<T>(bucket: Bucket, question: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> {
    const { own, shared } = this.limits[bucket];
    if (!shared) return question(own);
    try {
      return await settledWithin(REDIS_TIMEOUT_MS, question(shared));
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) throw refusal;
      return question(own);
    }
  }

  private createLimit(bucket: Bucket, limit: number, duration: number): Limit {
    const options = { keyPrefix: `gala:rate:${bucket}`, points: limit, duration };
    const own = isWorker ? new RateLimiterCluster(options) : new RateLimiterMemory(options);
    if (!this.redis) return { limit, own };
    const shared = new RateLimiterRedis({
      ...options,
      storeClient: this.redis,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
    });
    return { limit, own, shared };
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
