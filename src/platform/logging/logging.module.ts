import { Global, Module } from '@nestjs/common';
import { AccessLog } from './access-log';

@Global()
@Module({
  providers: [AccessLog],
  exports: [AccessLog],
})
export class LoggingModule {}
