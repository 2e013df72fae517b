import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { addDays, dayIn, startOfDay } from '../../../kernel/time-zone';
import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type OverviewPart, type OverviewRequest, refOf } from '../../shell';
import { CalendarQueries } from '../application/calendar-queries';
import { dayPath, entryPath } from './calendar-paths';

const LIMITS = { events: 8, title: 80 };

/** What is planned for today, on the first page of a workspace. */
@Injectable()
export class TodaySummary implements OverviewPart {
  readonly position = 20;

  constructor(
    private readonly queries: CalendarQueries,
    private readonly clock: Clock,
  ) {}

  async content({ area }: OverviewRequest) {
    const { timeZone } = area.workspace;
    const today = dayIn(timeZone, this.clock.now());
    const range = { from: startOfDay(timeZone, today), to: startOfDay(timeZone, addDays(today, 1)) };
    const events = await this.queries.confirmed(refOf(area), range, LIMITS);
    return (
      <Section title="Today">
        {events.length === 0 && <p class="quiet">Nothing is planned for today.</p>}
        <ul class="plain-list">
          {events.map(({ id, title, allDay, startsAt }) => (
            <li>
              {allDay ? 'All day' : <Time at={startsAt} zone={timeZone} />}{' '}
              <Link to={entryPath(area, id)}>
                <bdi>{title}</bdi>
              </Link>
            </li>
          ))}
        </ul>
        <Link to={dayPath(area, today)}>All of today</Link>
      </Section>
    );
  }
}
