import { Global, Module } from '@nestjs/common';
import { EventLoop } from './event-loop';
import { HealthController } from './health.controller';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { ServiceState } from './service-state';

@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [EventLoop, Metrics, ServiceState],
  exports: [EventLoop, Metrics, ServiceState],
})
export class HealthModule {}
