import { performance } from 'node:perf_hooks';
import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Clock, SystemClock } from '../kernel/clock';
import { EventTypes } from '../kernel/event-types';
import { Mailer } from '../kernel/mailer';
import { ScopeRegistry } from '../kernel/scope-registry';
import { UnitOfWork } from '../kernel/unit-of-work';
import { AccessGuard } from './access/access.guard';
import { BearerStrategy } from './access/bearer.strategy';
import { CredentialVerifiers } from './access/credential-verifier';
import { ScopeGuard } from './access/scope.guard';
import { Configuration } from './config/configuration';
import { SecretBox } from './encryption/secret-box';
import { FormSubmissions } from './form-submissions/form-submissions';
import { EventLoop } from './health/event-loop';
import { HealthController } from './health/health.controller';
import { Metrics } from './health/metrics';
import { MetricsController } from './health/metrics.controller';
import { ServiceState } from './health/service-state';
import { AnswersUnderWay } from './http/answers-under-way';
import { ErrorFilter } from './http/error.filter';
import { BodyBudget } from './http/body-budget';
import { ConnectionShares } from './http/connection-shares';
import { FairTurns } from './http/fair-turns';
import { FrontDoor } from './http/front-door';
import { RequestInputGuard } from './http/request-input.guard';
import { RequestTurns } from './http/request-turns';
import { RouteTable } from './http/route-table';
import { ValidationPipe } from './http/validation.pipe';
import { IdempotencyKeys } from './idempotency/idempotency-keys';
import { BackgroundJobs } from './jobs/background-jobs';
import { Retention } from './jobs/retention';
import { Logger } from './logging/logger';
import { AccessLog } from './logging/access-log';
import { createMailer } from './mail/create-mailer';
import { EventSubscribers } from './outbox/event-subscribers';
import { BrowserCookie } from './pages/browser-cookie';
import { Cookies } from './pages/cookies';
import { PageRenderer } from './pages/page-renderer';
import { Database } from './persistence/database';
import { DatabaseProbe } from './persistence/database-probe';
import { JobDatabase } from './persistence/job-database';
import { Notifications } from './persistence/notifications';
import { PostgresUnitOfWork } from './persistence/unit-of-work';
import { createRateLimiter } from './rate-limiting/flexible-rate-limiter';
import { RateLimitGuard } from './rate-limiting/rate-limit.guard';
import { RateLimiter } from './rate-limiting/rate-limiter';
import { RateLimits } from './rate-limiting/rate-limits';

export interface PlatformOptions {
  configuration: Configuration;
  dataSource: DataSource;
  logger: Logger;
  scopes: ScopeRegistry;
  eventTypes: EventTypes;
}

/** The providers that modules may inject, besides the values that the service was started with. */
const SHARED: Provider[] = [
  { provide: Clock, useClass: SystemClock },
  { provide: Mailer, useFactory: createMailer, inject: [Configuration, Logger] },
  { provide: RateLimiter, useFactory: createRateLimiter, inject: [Configuration, Logger] },
  { provide: UnitOfWork, useExisting: PostgresUnitOfWork },
  AccessLog,
  BackgroundJobs,
  BrowserCookie,
  Cookies,
  CredentialVerifiers,
  Database,
  EventSubscribers,
  FormSubmissions,
  IdempotencyKeys,
  JobDatabase,
  Metrics,
  Notifications,
  PageRenderer,
  PostgresUnitOfWork,
  RateLimits,
  Retention,
  RouteTable,
  SecretBox,
];

function createTurns(
  { maxConcurrentRequests }: Configuration,
  dataSource: DataSource,
  metrics: Metrics,
): FairTurns {
  const refused = metrics.counter({
    name: 'gala_http_requests_shed_total',
    help: 'Requests refused because too many others of the same tenant were waiting.',
  });
  const turns = new FairTurns({
    connections: dataSource.options.poolSize!,
    room: maxConcurrentRequests,
    now: () => performance.now(),
    onRefused: () => refused.inc(),
  });
  metrics.gauge({
    name: 'gala_http_requests_waiting',
    help: 'Requests that wait for their turn.',
    collect() {
      this.set(turns.countWaiting);
    },
  });
  return turns;
}

/** The base of every module. Nest runs guards in the order in which they are listed. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController, MetricsController],
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: ScopeGuard },
    { provide: APP_GUARD, useClass: RequestInputGuard },
    { provide: APP_PIPE, useClass: ValidationPipe },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: FairTurns, useFactory: createTurns, inject: [Configuration, DataSource, Metrics] },
    AnswersUnderWay,
    BearerStrategy,
    BodyBudget,
    ConnectionShares,
    DatabaseProbe,
    EventLoop,
    FrontDoor,
    RequestTurns,
    ServiceState,
    ...SHARED,
  ],
  exports: SHARED,
})
export class PlatformModule {
  static with({ configuration, dataSource, logger, scopes, eventTypes }: PlatformOptions): DynamicModule {
    const values = [
      { provide: Configuration, useValue: configuration },
      { provide: DataSource, useValue: dataSource },
      { provide: Logger, useValue: logger },
      { provide: ScopeRegistry, useValue: scopes },
      { provide: EventTypes, useValue: eventTypes },
    ];
    return { module: PlatformModule, providers: values, exports: values };
  }
}
