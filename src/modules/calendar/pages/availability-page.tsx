import { Link, type Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { EmptyState } from '../../../platform/pages/components/section';
import { type Area, SettingsPage } from '../../shell';
import type { Availability, DayAvailability } from '../domain/availability';
import type { SpaceView } from '../domain/space';
import { calendarPath, dayPath } from './calendar-paths';
import { CalendarTabs } from './calendar-toolbar';
import { shortened } from './entry-texts';
import { nextMonth, previousMonth, useDayNames, weekdayOf } from './month-days';

const WORDS: Record<Availability, string> = {
  free: 'free',
  visit_only: 'visit',
  held: 'held',
  booked: 'taken',
};
const SHOWN_NAME = 40;

interface AvailabilityPageProps {
  area: Area;
  month: string;
  today: string;
  /** Of this page of spaces. */
  spaces: readonly SpaceView[];
  /** Undefined when there is too much to tell. */
  days: readonly DayAvailability[] | undefined;
  page: number;
  pages: number;
}

export function AvailabilityPage(props: AvailabilityPageProps) {
  const { area, month, spaces, days } = props;
  return (
    <SettingsPage
      area={area}
      place=":mode/calendar"
      title="Availability"
      intro="Which spaces are free, held or taken on each day. Set-up and clearing times count. Choose a day to see why."
    >
      <CalendarTabs
        area={area}
        month={month}
        current={`${calendarPath(area, 'availability')}?month=${month}`}
      />
      <Months {...props} />
      {spaces.length === 0 && (
        <EmptyState title="No spaces yet">Add them with the API: POST /v1/spaces.</EmptyState>
      )}
      {!days && (
        <Notice kind="warning">
          This month has more entries than can be worked out at once. The API tells the availability of
          shorter times.
        </Notice>
      )}
      {spaces.length > 0 && days && <Grid {...props} days={days} />}
      <SpacePages {...props} />
    </SettingsPage>
  );
}

function Months({ area, month }: AvailabilityPageProps) {
  const { monthName } = useDayNames();
  const path = calendarPath(area, 'availability');
  const [previous, next] = [previousMonth(month), nextMonth(month)];
  return (
    <div class="month-bar">
      <h2>{monthName(month)}</h2>
      <nav aria-label="Months">
        <Link to={`${path}?month=${previous}`} rel="prev" class="button secondary">
          <span aria-hidden="true">←</span>
          <span class="visually-hidden">{monthName(previous)}</span>
        </Link>
        <Link to={path} class="button secondary">
          Today
        </Link>
        <Link to={`${path}?month=${next}`} rel="next" class="button secondary">
          <span aria-hidden="true">→</span>
          <span class="visually-hidden">{monthName(next)}</span>
        </Link>
      </nav>
    </div>
  );
}

function Grid({
  area,
  month,
  today,
  spaces,
  days,
}: AvailabilityPageProps & { days: readonly DayAvailability[] }) {
  const { monthName, weekdayName } = useDayNames();
  const isPast = (date: string) => today.startsWith(month) && date < today;
  const classes = (...names: (string | false)[]) => names.filter(Boolean).join(' ') || undefined;
  return (
    <div class="scroller" role="region" aria-label="Spaces and days" tabindex={0}>
      <table class="availability">
        <caption class="visually-hidden">Availability in {monthName(month)}</caption>
        <thead>
          <tr>
            <th scope="col">Space</th>
            {days.map(({ date }) => (
              <th
                scope="col"
                class={classes(weekdayOf(date) > 4 && 'weekend', isPast(date) && 'past')}
                aria-current={date === today ? 'date' : undefined}
              >
                <span>{weekdayName(date, 'short')}</span>
                {Number(date.slice(8))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spaces.map(({ name, capacity }, index) => (
            <tr>
              <th scope="row">
                {shortened(name, SHOWN_NAME)}
                {capacity !== null && <span class="quiet">Up to {capacity} guests</span>}
              </th>
              {days.map(({ date, spaces: onDay }) => {
                const { status } = onDay[index]!;
                return (
                  <td class={classes(status, weekdayOf(date) > 4 && 'weekend', isPast(date) && 'past')}>
                    <Link to={dayPath(area, date)}>{WORDS[status]}</Link>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SpacePages({ area, month, page, pages }: AvailabilityPageProps) {
  if (pages < 2) return null;
  const path = (to: number): Path => `${calendarPath(area, 'availability')}?month=${month}&page=${to}`;
  return (
    <nav aria-label="Spaces" class="pagination">
      {page > 1 && (
        <Link to={path(page - 1)} rel="prev" class="button secondary">
          Previous spaces
        </Link>
      )}
      {page < pages && (
        <Link to={path(page + 1)} rel="next" class="button secondary">
          More spaces
        </Link>
      )}
    </nav>
  );
}
