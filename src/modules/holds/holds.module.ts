import { Module } from '@nestjs/common';
import { EventSubscribers } from '../../platform/outbox/event-subscribers';
import { AuditActions } from '../audit-log';
import { DayPageParts, RankedHolds } from '../calendar';
import { LeadPageParts } from '../leads';
import { AdoptHolds } from './application/adopt-holds';
import { CalendarHolds } from './application/calendar-holds';
import { ChallengeHolds } from './application/challenge-holds';
import { ChangeHoldPolicy } from './application/change-hold-policy';
import { ChangeHold } from './application/change-hold';
import { EndHolds } from './application/end-holds';
import { HOLD_ACTIONS } from './application/hold-actions';
import { HoldQueries } from './application/hold-queries';
import { HoldQueues } from './application/hold-queues';
import { HoldRepository } from './application/hold-repository';
import { PlaceHold } from './application/place-hold';
import { SettleHolds } from './application/settle-holds';
import { HoldPolicyController } from './http/hold-policy.controller';
import { HoldsController } from './http/holds.controller';
import { HoldDayController } from './pages/hold-day.controller';
import { HoldFormController } from './pages/hold-form.controller';
import { HoldPanel } from './pages/hold-panel';
import { HoldQueuesPanel } from './pages/hold-queues-panel';
import { LeadHoldsController } from './pages/lead-holds.controller';
import { HoldPolicyPagesController } from './pages/hold-policy-pages.controller';
import { PostgresHoldRepository } from './infrastructure/hold.repository';
import { LostLeads } from './infrastructure/lost-leads';
import { SettleJob } from './infrastructure/settle-job';

@Module({
  controllers: [
    HoldsController,
    HoldPolicyController,
    HoldDayController,
    HoldFormController,
    HoldPolicyPagesController,
    LeadHoldsController,
  ],
  providers: [
    AdoptHolds,
    CalendarHolds,
    ChallengeHolds,
    ChangeHold,
    ChangeHoldPolicy,
    EndHolds,
    HoldPanel,
    HoldQueries,
    HoldQueues,
    HoldQueuesPanel,
    LostLeads,
    PlaceHold,
    SettleHolds,
    SettleJob,
    { provide: HoldRepository, useClass: PostgresHoldRepository },
  ],
})
export class HoldsModule {
  constructor(
    actions: AuditActions,
    rankedHolds: RankedHolds,
    calendarHolds: CalendarHolds,
    subscribers: EventSubscribers,
    lostLeads: LostLeads,
    leadPages: LeadPageParts,
    panel: HoldPanel,
    dayPages: DayPageParts,
    queuesPanel: HoldQueuesPanel,
  ) {
    dayPages.add(queuesPanel);
    leadPages.addPanel(panel);
    subscribers.add(lostLeads);
    actions.register(HOLD_ACTIONS);
    rankedHolds.use(calendarHolds);
  }
}
