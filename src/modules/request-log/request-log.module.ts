import { Module } from '@nestjs/common';
import { SettingsNavigation } from '../shell';
import { RequestLogQueries, RequestLogReader } from './application/request-log-queries';
import { RequestLogRetention } from './infrastructure/request-log-retention';
import { RequestLogWriter } from './infrastructure/request-log-writer';
import { PostgresRequestLogReader } from './infrastructure/request-log.reader';
import { RequestLogController } from './pages/request-log.controller';

@Module({
  controllers: [RequestLogController],
  providers: [
    RequestLogQueries,
    RequestLogRetention,
    RequestLogWriter,
    { provide: RequestLogReader, useClass: PostgresRequestLogReader },
  ],
})
export class RequestLogModule {
  constructor(navigation: SettingsNavigation) {
    navigation.add({
      group: 'Integrations',
      label: 'Request log',
      path: ':mode/request-log',
      least: 'admin',
      position: 3,
    });
  }
}
