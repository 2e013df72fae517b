import { Global, Module } from '@nestjs/common';
import { EventSubscribers } from './event-subscribers';

@Global()
@Module({
  providers: [EventSubscribers],
  exports: [EventSubscribers],
})
export class OutboxModule {}
