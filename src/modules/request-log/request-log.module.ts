import { Module } from '@nestjs/common';
import { RequestLogQueries, RequestLogReader } from './application/request-log-queries';
import { RequestLogRetention } from './infrastructure/request-log-retention';
import { RequestLogWriter } from './infrastructure/request-log-writer';
import { PostgresRequestLogReader } from './infrastructure/request-log.reader';

@Module({
  providers: [
    RequestLogQueries,
    RequestLogRetention,
    RequestLogWriter,
    { provide: RequestLogReader, useClass: PostgresRequestLogReader },
  ],
  exports: [RequestLogQueries],
})
export class RequestLogModule {}
