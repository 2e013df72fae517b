import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { addDays, dayIn, startOfDay } from '../../../kernel/time-zone';
import { Section } from '../../../platform/pages/components/section';
import { Sparkline } from '../../../platform/pages/components/sparkline';
import { type OverviewPart, type OverviewRequest, refOf } from '../../shell';
import { LeadQueries } from '../application/lead-queries';

const WINDOWS = [7, 30] as const;
const DAYS = Math.max(...WINDOWS);

/** How many leads have come lately, by day, on the first page of a workspace. */
@Injectable()
export class NewLeadsFigure implements OverviewPart {
  readonly place = 'figure';
  readonly position = 0;

  constructor(
    private readonly queries: LeadQueries,
    private readonly clock: Clock,
  ) {}

  async content({ area }: OverviewRequest) {
    const { timeZone, locale } = area.workspace;
    const tomorrow = addDays(dayIn(timeZone, this.clock.now()), 1);
    const days = Array.from({ length: DAYS }, (_, index) => addDays(tomorrow, index - DAYS));
    const instants = [...days, tomorrow].map((day) => startOfDay(timeZone, day));
    const counts = await this.queries.countCreated(refOf(area), instants);
    const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
    return (
      <Section title="New leads">
        <dl class="numbers">
          {WINDOWS.map((window) => (
            <div>
              <dt>New in {window} days</dt>
              <dd>{sumOf(counts.slice(-window), locale)}</dd>
            </div>
          ))}
        </dl>
        <Sparkline
          label="New leads by day"
          points={days.map((day, index) => ({
            label: format.format(new Date(day)),
            value: counts[index]!,
          }))}
        />
      </Section>
    );
  }
}

function sumOf(counts: readonly number[], locale: string): string {
  const sum = counts.reduce((total, count) => total + count, 0).toLocaleString(locale);
  return counts.some((count) => count >= LeadQueries.MOST_COUNTED) ? `${sum}+` : sum;
}
