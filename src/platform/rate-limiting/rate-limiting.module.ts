import { Global, Module } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { Logger } from '../logging/logger';
import { createRateLimiter } from './flexible-rate-limiter';
import { RateLimiter } from './rate-limiter';
import { RateLimits } from './rate-limits';

@Global()
@Module({
  providers: [
    { provide: RateLimiter, useFactory: createRateLimiter, inject: [Configuration, Logger] },
    RateLimits,
  ],
  exports: [RateLimiter, RateLimits],
})
export class RateLimitingModule {}
