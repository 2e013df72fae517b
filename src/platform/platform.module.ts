import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Clock, SystemClock } from '../kernel/clock';
import { ScopeRegistry } from '../kernel/scope-registry';
import { UnitOfWork } from '../kernel/unit-of-work';
import { AccessGuard } from './access/access.guard';
import { BearerStrategy } from './access/bearer.strategy';
import { CredentialVerifiers } from './access/credential-verifier';
import { ScopeGuard } from './access/scope.guard';
import { Configuration } from './config/configuration';
import { HealthController } from './health/health.controller';
import { Metrics } from './health/metrics';
import { MetricsController } from './health/metrics.controller';
import { ErrorFilter } from './http/error.filter';
import { FrontDoor } from './http/front-door';
import { RequestInputGuard } from './http/request-input.guard';
import { RouteTable } from './http/route-table';
import { ValidationPipe } from './http/validation.pipe';
import { Logger } from './logging/logger';
import { RequestLog } from './logging/request-log';
import { Database } from './persistence/database';
import { TypeOrmUnitOfWork } from './persistence/typeorm-unit-of-work';
import { FlexibleRateLimiter } from './rate-limiting/flexible-rate-limiter';
import { RateLimitGuard } from './rate-limiting/rate-limit.guard';
import { RateLimiter } from './rate-limiting/rate-limiter';
import { RateLimits } from './rate-limiting/rate-limits';

export interface PlatformOptions {
  configuration: Configuration;
  dataSource: DataSource;
  logger: Logger;
  scopes: ScopeRegistry;
}

/** What every module stands on. Guards run in the order in which they are listed. */
@Global()
@Module({})
export class PlatformModule {
  static with({ configuration, dataSource, logger, scopes }: PlatformOptions): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule],
      controllers: [HealthController, MetricsController],
      providers: [
        { provide: Configuration, useValue: configuration },
        { provide: DataSource, useValue: dataSource },
        { provide: Logger, useValue: logger },
        { provide: ScopeRegistry, useValue: scopes },
        { provide: Clock, useClass: SystemClock },
        { provide: RateLimiter, useClass: FlexibleRateLimiter },
        { provide: UnitOfWork, useExisting: TypeOrmUnitOfWork },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: APP_GUARD, useClass: RequestInputGuard },
        { provide: APP_PIPE, useClass: ValidationPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
        BearerStrategy,
        CredentialVerifiers,
        Database,
        FrontDoor,
        Metrics,
        RateLimits,
        RequestLog,
        RouteTable,
        TypeOrmUnitOfWork,
      ],
      exports: [
        Clock,
        Configuration,
        CredentialVerifiers,
        Database,
        DataSource,
        Logger,
        Metrics,
        RouteTable,
        ScopeRegistry,
        TypeOrmUnitOfWork,
        UnitOfWork,
      ],
    };
  }
}
