import { performance } from 'node:perf_hooks';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, SystemClock } from '../kernel/clock';
import { EventTypes } from '../kernel/event-types';
import { HandOvers } from '../kernel/hand-overs';
import { ScopeRegistry } from '../kernel/scope-registry';
import { AccessModule } from './access/access.module';
import { Configuration } from './config/configuration';
import { EncryptionModule } from './encryption/encryption.module';
import { ExportsModule } from './exports/exports.module';
import { ExtensionSettingsModule } from './extension-settings/extension-settings.module';
import { FormSubmissionsModule } from './form-submissions/form-submissions.module';
import { HealthModule } from './health/health.module';
import { Metrics } from './health/metrics';
import { FairTurns } from './http/fair-turns';
import { HttpModule } from './http/http.module';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { JobsModule } from './jobs/jobs.module';
import { LoggingModule } from './logging/logging.module';
import { Logger } from './logging/logger';
import { MailModule } from './mail/mail.module';
import { OutboxModule } from './outbox/outbox.module';
import { PagesModule } from './pages/pages.module';
import { PersistenceModule } from './persistence/persistence.module';
import { PoliciesModule } from './policies/policies.module';
import { RateLimitingModule } from './rate-limiting/rate-limiting.module';

export interface PlatformOptions {
  configuration: Configuration;
  dataSource: DataSource;
  logger: Logger;
  scopes: ScopeRegistry;
  eventTypes: EventTypes;
}

/** The values that the service was started with, and what depends on several folders of the platform. */
@Global()
@Module({})
class StartModule {
  static with({ configuration, dataSource, logger, scopes, eventTypes }: PlatformOptions): DynamicModule {
    const values = [
      { provide: Clock, useClass: SystemClock },
      { provide: Configuration, useValue: configuration },
      { provide: DataSource, useValue: dataSource },
      { provide: Logger, useValue: logger },
      { provide: ScopeRegistry, useValue: scopes },
      { provide: EventTypes, useValue: eventTypes },
      { provide: HandOvers, useFactory: () => new HandOvers() },
      { provide: FairTurns, useFactory: createTurns, inject: [Configuration, DataSource, Metrics] },
    ];
    return { module: StartModule, providers: values, exports: values };
  }
}

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

/** The base of every module: one module for each folder of the platform. */
export function platformModules(options: PlatformOptions): DynamicModule[] {
  const folders = [
    AccessModule,
    EncryptionModule,
    ExportsModule,
    ExtensionSettingsModule,
    FormSubmissionsModule,
    HealthModule,
    HttpModule,
    IdempotencyModule,
    JobsModule,
    LoggingModule,
    MailModule,
    OutboxModule,
    PagesModule,
    PersistenceModule,
    PoliciesModule,
    RateLimitingModule,
  ];
  return [StartModule.with(options), ...folders.map((module) => ({ module }))];
}
