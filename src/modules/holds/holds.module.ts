import { Module } from '@nestjs/common';
import { AuditActions } from '../audit-log';
import { RankedHolds } from '../calendar';
import { CalendarHolds } from './application/calendar-holds';
import { ChallengeHolds } from './application/challenge-holds';
import { ChangeHold } from './application/change-hold';
import { EndHolds } from './application/end-holds';
import { HOLD_ACTIONS } from './application/hold-actions';
import { HoldQueries } from './application/hold-queries';
import { HoldQueues } from './application/hold-queues';
import { HoldRepository } from './application/hold-repository';
import { PlaceHold } from './application/place-hold';
import { SettleHolds } from './application/settle-holds';
import { HoldsController } from './http/holds.controller';
import { PostgresHoldRepository } from './infrastructure/hold.repository';
import { SettleJob } from './infrastructure/settle-job';

@Module({
  controllers: [HoldsController],
  providers: [
    CalendarHolds,
    ChallengeHolds,
    ChangeHold,
    EndHolds,
    HoldQueries,
    HoldQueues,
    PlaceHold,
    SettleHolds,
    SettleJob,
    { provide: HoldRepository, useClass: PostgresHoldRepository },
  ],
})
export class HoldsModule {
  constructor(actions: AuditActions, rankedHolds: RankedHolds, calendarHolds: CalendarHolds) {
    actions.register(HOLD_ACTIONS);
    rankedHolds.use(calendarHolds);
  }
}
