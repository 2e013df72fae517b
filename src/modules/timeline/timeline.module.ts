import { Module } from '@nestjs/common';
import { TimelineParts } from '../../kernel/timeline';
import { LeadPageParts } from '../leads';
import { LeadTimeline } from './application/lead-timeline';
import { TimelineController } from './http/timeline.controller';
import { LastActivityColumn } from './pages/last-activity-column';
import { TimelinePanel } from './pages/timeline-panel';

@Module({
  controllers: [TimelineController],
  providers: [LastActivityColumn, LeadTimeline, TimelinePanel, TimelineParts],
  exports: [TimelineParts],
})
export class TimelineModule {
  constructor(leadPages: LeadPageParts, panel: TimelinePanel, lastActivity: LastActivityColumn) {
    leadPages.addColumn(lastActivity);
    leadPages.addPanel(panel);
  }
}
