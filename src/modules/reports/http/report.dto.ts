import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { exampleId } from '../../../platform/http/path-id';
import { TIME } from '../../../platform/openapi/common-responses';
import type {
  Funnel,
  FunnelStage,
  OutcomeFigures,
  OutcomesReport as OutcomesReportView,
  ResponseFigures,
  ResponsesReport as ResponsesReportView,
  Row,
  WaitingView,
} from '../application/report-queries';
import type { LostFigure, Money } from '../application/report-reader';

const count = (description: string, example: number): PropertyDecorator =>
  ApiProperty({ type: 'integer', minimum: 0, description, example });
const seconds = (description: string, example: number): PropertyDecorator =>
  ApiProperty({ type: 'integer', nullable: true, description, example });
const ratio = (description: string, example: number | null): PropertyDecorator =>
  ApiProperty({ type: 'number', nullable: true, minimum: 0, maximum: 1, description, example });
const DAY = { type: 'string', format: 'date' } satisfies ApiPropertyOptions;

@ApiSchema({ name: 'ResponseFigures' })
class ResponseFiguresResponse implements Record<keyof ResponseFigures, unknown> {
  @count('Leads that were created: the excluded, answered and waiting ones.', 40) leads!: number;
  @count('Imported ones, those that were created in a later stage, and those of which it isn’t known.', 4)
  excluded!: number;
  @count('Those with a first response.', 30) answered!: number;
  @count('Those without one.', 6) waiting!: number;
  @seconds('Half of the answered ones had a response by then.', 720) medianSeconds!: number | null;
  @seconds('Nine in ten of the answered ones had a response by then.', 28_800) p90Seconds!: number | null;
  @count('Answered within 5 minutes; the next four likewise.', 6) within5Minutes!: number;
  @count('', 16) within15Minutes!: number;
  @count('', 22) within1Hour!: number;
  @count('', 26) within4Hours!: number;
  @count('', 29) within24Hours!: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 0,
    description: 'Answered within the response target. Null without a target.',
    example: 16,
  })
  withinTarget!: number | null;
}

@ApiSchema({ name: 'MoneyFigure' })
class MoneyResponse implements Record<keyof Money, unknown> {
  @ApiProperty({ example: 'EUR' }) currency!: string;
  @ApiProperty({ type: 'integer', description: 'In the minor unit of the currency.', example: 2_450_000 })
  amount!: number;
  @count('The leads that it comes from.', 4) leads!: number;
}

@ApiSchema({ name: 'OutcomeFigures' })
class OutcomeFiguresResponse implements Record<keyof OutcomeFigures, unknown> {
  @count('Leads that were created.', 40) created!: number;
  @count('Won leads: with `basis=closed` those that were won in the period.', 5) won!: number;
  @count('Lost leads likewise.', 15) lost!: number;
  @count('Leads that were created and are undecided.', 20) open!: number;
  @ratio('Won ones of the won and lost ones.', 0.25) winRate!: number | null;
  @ratio('Won ones of the created ones; null with `basis=closed`.', null) conversion!: number | null;
  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Half of the won ones were won within that many days, to a tenth of a day.',
    example: 14.2,
  })
  daysToWin!: number | null;
  @ApiProperty({
    type: [MoneyResponse],
    description:
      'The value of won leads by currency: of the accepted proposal, or else of the one that was sent last.',
  })
  values!: MoneyResponse[];
  @count('Won leads without such a proposal.', 1) withoutValue!: number;
}

@ApiSchema({ name: 'LostFigure' })
class LostFigureResponse implements Record<keyof LostFigure, unknown> {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null: lost without a reason.',
    example: exampleId('reason'),
  })
  lostReasonId!: string | null;
  @count('', 7) leads!: number;
}

const ROW = {
  from: { ...DAY, description: 'The first day of the row.', example: '2027-01-01' },
  to: { ...DAY, description: 'Its last day.', example: '2027-01-31' },
  key: {
    type: String,
    nullable: true,
    description: 'The source, or the id of the owner or lost reason; null without one, and without groups.',
    example: null,
  },
  isOther: { description: 'Whether it adds up all groups beyond the 100 largest.', example: false },
} satisfies Record<string, ApiPropertyOptions>;

@ApiSchema({ name: 'ResponseRow' })
class ResponseRow extends ResponseFiguresResponse implements Record<keyof Row<ResponseFigures>, unknown> {
  @ApiProperty(ROW.from) from!: string;
  @ApiProperty(ROW.to) to!: string;
  @ApiProperty(ROW.key) key!: string | null;
  @ApiProperty(ROW.isOther) isOther!: boolean;
}

@ApiSchema({ name: 'OutcomeRow' })
class OutcomeRow extends OutcomeFiguresResponse implements Record<keyof Row<OutcomeFigures>, unknown> {
  @ApiProperty(ROW.from) from!: string;
  @ApiProperty(ROW.to) to!: string;
  @ApiProperty(ROW.key) key!: string | null;
  @ApiProperty(ROW.isOther) isOther!: boolean;
}

class PeriodResponse {
  @ApiProperty({ ...DAY, example: '2027-01-01' }) from!: string;
  @ApiProperty({ ...DAY, example: '2027-01-31' }) to!: string;
  @ApiProperty({ example: 'Europe/Madrid' }) timeZone!: string;
  @ApiProperty({ ...TIME, description: 'From then on, all stays and responses are recorded.' })
  completeSince!: Date;
}

@ApiSchema({ name: 'ResponsesReport' })
export class ResponsesReport extends PeriodResponse implements Record<keyof ResponsesReportView, unknown> {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The response target of today. Null without one.',
    example: 15,
  })
  targetMinutes!: number | null;
  @ApiProperty() total!: ResponseFiguresResponse;
  @ApiProperty({ type: [ResponseRow] }) rows!: ResponseRow[];
}

@ApiSchema({ name: 'OutcomesReport' })
export class OutcomesReport extends PeriodResponse implements Record<keyof OutcomesReportView, unknown> {
  @ApiProperty() total!: OutcomeFiguresResponse;
  @ApiProperty({ type: [OutcomeRow] }) rows!: OutcomeRow[];
  @ApiProperty({
    type: [LostFigureResponse],
    description: 'The lost leads of all rows by their reason, the most frequent first.',
  })
  lostReasons!: LostFigureResponse[];
}

@ApiSchema({ name: 'FunnelStage' })
class FunnelStageResponse implements Record<keyof FunnelStage, unknown> {
  @ApiProperty({ description: 'The key of the stage.', example: 'contacted' }) stage!: string;
  @count('Leads that were there: the next four together.', 30) entered!: number;
  @count('Those that went on to a later stage.', 12) advanced!: number;
  @count('Those that went back to an earlier one.', 1) wentBack!: number;
  @count('Those that became lost.', 8) lost!: number;
  @count('Those that are there.', 9) still!: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Leads that were at a later stage that isn’t lost and never here. Null with `basis=entered`.',
    example: 2,
  })
  skipped!: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The entered and skipped ones. Null with `basis=entered`.',
    example: 32,
  })
  reached!: number | null;
  @seconds('Half of the ended stays took no longer.', 172_800) medianSeconds!: number | null;
  @seconds('Nine in ten of the ended stays took no longer.', 864_000) p90Seconds!: number | null;
  @ratio('Advanced ones of the entered ones.', 0.4) toNext!: number | null;
}

@ApiSchema({ name: 'Funnel' })
export class FunnelResponse extends PeriodResponse implements Record<keyof Funnel, unknown> {
  @ApiProperty({ type: [FunnelStageResponse], description: 'Open stages, then won and lost ones.' })
  stages!: FunnelStageResponse[];
}

@ApiSchema({ name: 'WaitingLead' })
export class WaitingLeadResponse implements Record<keyof WaitingView, unknown> {
  @ApiProperty({ example: exampleId('lead') }) leadId!: string;
  @ApiProperty(TIME) awaitingReplySince!: Date;
  @ApiProperty({ type: 'integer', description: 'How long that is by now.', example: 5400 }) seconds!: number;
  @ApiProperty({ example: 'new_enquiry' }) stage!: string;
  @ApiProperty({ type: String, nullable: true, example: 'website' }) source!: string | null;
  @ApiProperty({ type: String, nullable: true, example: exampleId('user') }) ownerId!: string | null;
}
