import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { addDays, dayIn } from '../../../kernel/time-zone';
import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import { type OverviewPart, type OverviewRequest, refOf } from '../../shell';
import { MOST_CLOSED, ReportQueries, type WinRate } from '../application/report-queries';
import { formatValue } from './figure-tables';
import { figuresPath } from './figures-page';

const DAYS = 90;

/** How many of the decided leads were won, on the first page of a workspace. */
@Injectable()
export class WinRateFigure implements OverviewPart {
  readonly place = 'figure';
  readonly position = 20;

  constructor(
    private readonly queries: ReportQueries,
    private readonly clock: Clock,
  ) {}

  async content({ area }: OverviewRequest) {
    const { timeZone, locale } = area.workspace;
    const to = dayIn(timeZone, this.clock.now());
    const from = addDays(to, 1 - DAYS);
    const rate = await this.queries.winRate(refOf(area), { from, to, timeZone });
    return (
      <Section title="Win rate">
        <dl class="numbers">
          <div>
            <dt>Last {DAYS} days</dt>
            <dd>{formatValue(rate.winRate, 'share', locale)}</dd>
          </div>
        </dl>
        <p class="quiet">
          {basisOf(rate, locale)}{' '}
          <Link to={`${figuresPath(area)}?from=${from}&to=${to}`}>Figures of these days</Link>
        </p>
      </Section>
    );
  }
}

function basisOf({ won, lost, isPartial }: WinRate, locale: string): string {
  if (won + lost === 0) return 'No lead was won or lost.';
  const counts = `${won.toLocaleString(locale)} won, ${lost.toLocaleString(locale)} lost`;
  return isPartial ? `${counts}, of the latest ${MOST_CLOSED.toLocaleString(locale)}.` : `${counts}.`;
}
