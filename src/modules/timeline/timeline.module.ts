import { Module } from '@nestjs/common';
import { TimelineParts } from '../../kernel/timeline';
import { LeadTimeline } from './application/lead-timeline';
import { TimelineController } from './http/timeline.controller';

@Module({
  controllers: [TimelineController],
  providers: [LeadTimeline, TimelineParts],
  exports: [TimelineParts],
})
export class TimelineModule {}
