import { Global, Module } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { Logger } from '../logging/logger';
import { createRateLimiter } from './flexible-rate-limiter';
import { RateLimiter } from './rate-limiter';
import { RateLimits } from './rate-limits';
import { SecretLookups } from './secret-lookups';

@Global()
@Module({
  providers: [
    { provide: RateLimiter, useFactory: createRateLimiter, inject: [Configuration, Logger] },
    RateLimits,
    SecretLookups,
  ],
  exports: [RateLimiter, RateLimits, SecretLookups],
})
export class RateLimitingModule {}
