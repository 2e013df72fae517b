import { Global, Module } from '@nestjs/common';
import { EventEpochs } from './event-epochs';
import { EventSubscribers } from './event-subscribers';

@Global()
@Module({
  providers: [EventEpochs, EventSubscribers],
  exports: [EventSubscribers],
})
export class OutboxModule {}
