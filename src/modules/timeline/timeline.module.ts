import { Module } from '@nestjs/common';
import { TimelineParts } from '../../kernel/timeline';
import { LeadPageParts } from '../leads';
import { LeadTimeline } from './application/lead-timeline';
import { TimelineController } from './http/timeline.controller';
import { TimelinePanel } from './pages/timeline-panel';

@Module({
  controllers: [TimelineController],
  providers: [LeadTimeline, TimelinePanel, TimelineParts],
  exports: [TimelineParts],
})
export class TimelineModule {
  constructor(leadPages: LeadPageParts, panel: TimelinePanel) {
    leadPages.addPanel(panel);
  }
}
