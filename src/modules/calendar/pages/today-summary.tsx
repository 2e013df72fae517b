import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { addDays, clockTimeIn, dayIn, startOfDay } from '../../../kernel/time-zone';
import { ButtonLink } from '../../../platform/pages/components/button';
import { Link } from '../../../platform/pages/components/link';
import { Actions, Section } from '../../../platform/pages/components/section';
import { type OverviewPart, type OverviewRequest, refOf } from '../../shell';
import { CalendarQueries, type EventOutline } from '../application/calendar-queries';
import { dayPath, entryPath } from './calendar-paths';

const LIMITS = { events: 50, title: 80 };
const MOST_SHOWN = 8;

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
      <Section title="Today" intro={visitsIn(events)}>
        {events.length === 0 && <p class="quiet">Nothing is planned for today.</p>}
        <ul class="plain-list">
          {events.slice(0, MOST_SHOWN).map(({ id, title, type, allDay, startsAt }) => (
            <li class="with-end">
              <Link to={entryPath(area, id)}>
                <bdi>{title}</bdi>
              </Link>{' '}
              <span class="quiet">
                {type === 'visit' && 'Visit, '}
                {allDay ? 'all day' : clockTimeIn(timeZone, startsAt)}
              </span>
            </li>
          ))}
        </ul>
        {events.length > MOST_SHOWN && <p class="quiet">And {events.length - MOST_SHOWN} more.</p>}
        <Actions>
          <ButtonLink kind="secondary" to={dayPath(area, today)}>
            All of today
          </ButtonLink>
        </Actions>
      </Section>
    );
  }
}

function visitsIn(events: readonly EventOutline[]): string | undefined {
  const visits = events.filter(({ type }) => type === 'visit').length;
  if (visits === 0) return undefined;
  return visits === 1 ? '1 visit' : `${visits} visits`;
}
