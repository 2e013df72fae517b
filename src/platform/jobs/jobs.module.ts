import { Global, Module } from '@nestjs/common';
import { BackgroundJobs } from './background-jobs';
import { Retention } from './retention';

@Global()
@Module({
  providers: [BackgroundJobs, Retention],
  exports: [BackgroundJobs, Retention],
})
export class JobsModule {}
