import { Link, type Path } from '../../../platform/pages/components/link';
import type { SpaceId } from '../../../kernel/ids';
import type { MonthEntry, MonthFilter } from '../application/month-queries';
import type { Area } from '../../shell';
import { calendarPath, dayPath } from './calendar-paths';
import { withFilter } from './calendar-view';
import { byTimeAndRank, EntryLine } from './entry-line';
import { ANY_WEEK, type MonthFrame, nextMonth, previousMonth, useDayNames } from './month-days';
import { type DayOfWeek, type InLane, layOutWeek } from './month-layout';

export interface CalendarMonthProps {
  area: Area;
  frame: MonthFrame;
  today: string;
  filter: MonthFilter;
  entries: readonly MonthEntry[];
  /** How many entries each day of the frame has. */
  counts: readonly number[];
  spaceNames: ReadonlyMap<SpaceId, string>;
  /** A phone shows the days before today, too. */
  showsPast: boolean;
}

/** A month as a table of weeks, or on a phone as a list of its days from today on. */
export function CalendarMonth(props: CalendarMonthProps) {
  const { frame, today, entries, counts, showsPast } = props;
  const names = useDayNames();
  const inOrder = entries.toSorted(byTimeAndRank);
  const weeks = Array.from({ length: frame.days.length / 7 }, (_, week) => ({
    days: frame.days.slice(week * 7, week * 7 + 7),
    laidOut: layOutWeek(week, inOrder, counts),
  }));
  const isPast = (day: string) => !showsPast && today.startsWith(frame.month) && day < today;
  return (
    <table role="table" class="month">
      <caption class="visually-hidden">{names.monthName(frame.month)}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {ANY_WEEK.map((day) => (
            <th role="columnheader" scope="col">
              <abbr title={names.weekdayName(day)}>{names.weekdayName(day, 'short')}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {weeks.map(({ days, laidOut }) => (
          <tr role="row" class={hasBars(laidOut) ? undefined : 'loose'}>
            {days.map((day, index) => (
              <Day
                {...props}
                day={day}
                days={days}
                content={laidOut[index]!}
                isPast={isPast(day)}
                names={names}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** From month to month; a phone of the current month also leads back to its days before today. */
export function MonthNavigation({
  area,
  frame,
  today,
  filter,
  showsPast,
}: Omit<CalendarMonthProps, 'entries'>) {
  const { monthName } = useDayNames();
  const path = (month?: string, others = {}): Path =>
    withFilter(calendarPath(area), filter, { ...(month && { month }), ...others });
  const [previous, next] = [previousMonth(frame.month), nextMonth(frame.month)];
  return (
    <div class="month-bar">
      <h2>{monthName(frame.month)}</h2>
      <nav aria-label="Months">
        <Link to={path(previous)} rel="prev" class="button secondary">
          <span aria-hidden="true">←</span>
          <span class="visually-hidden">{monthName(previous)}</span>
        </Link>
        <Link to={path()} class="button secondary">
          Today
        </Link>
        <Link to={path(next)} rel="next" class="button secondary">
          <span aria-hidden="true">→</span>
          <span class="visually-hidden">{monthName(next)}</span>
        </Link>
      </nav>
      {!showsPast && today.startsWith(frame.month) && !today.endsWith('-01') && (
        <Link to={path(frame.month, { days: 'all' })} class="for-narrow">
          Show earlier days
        </Link>
      )}
    </div>
  );
}

interface DayProps extends CalendarMonthProps {
  day: string;
  /** Of its week. */
  days: readonly string[];
  content: DayOfWeek<MonthEntry>;
  isPast: boolean;
  names: ReturnType<typeof useDayNames>;
}

function Day({ day, days, content, isPast, names, ...props }: DayProps) {
  const { area, frame, today, filter } = props;
  const { shown, more } = content;
  const isOutside = !day.startsWith(frame.month);
  const classes = ['day', isOutside && 'outside', isPast && 'past', shown.length === 0 && 'free'];
  const to = withFilter(dayPath(area, day), filter);
  return (
    <td
      role="cell"
      class={classes.filter(Boolean).join(' ')}
      aria-current={day === today ? 'date' : undefined}
    >
      <Link to={to} class="date">
        <time datetime={day}>
          <span class="weekday">{names.weekdayName(day)} </span>
          {Number(day.slice(8))}
          <span class="month-name"> {names.monthName(day)}</span>
        </time>
      </Link>
      {shown.length > 0 && (
        <ul>
          {shown.map((each) => (
            <Chip {...props} {...each} day={day} days={days} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <Link to={to} class="more">
          {`+${more} more`}
        </Link>
      )}
    </td>
  );
}

/** Without bars, the lanes of a week needn’t have one height. */
function hasBars(week: readonly DayOfWeek<MonthEntry>[]): boolean {
  return week.some(({ shown }) => shown.some(({ span }) => span > 1));
}

type ChipProps = Pick<CalendarMonthProps, 'area' | 'spaceNames'> &
  InLane<MonthEntry> & { day: string; days: readonly string[] };

/** Where the table has columns, an entry is drawn once for all its days of the week. */
function Chip({ lane, span, day, days, ...line }: ChipProps) {
  const until = span > 1 ? days[days.indexOf(day) + span - 1]! : day;
  const width = span === 0 ? ' goes-on' : span > 1 ? ` w${span}` : '';
  return <EntryLine {...line} day={day} until={until} class={`l${lane}${width}`} />;
}
