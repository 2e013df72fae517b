import { Link, type Path } from '../../../platform/pages/components/link';
import { Time } from '../../../platform/pages/components/time';
import { useLocale } from '../../../platform/pages/locale';
import { addDays, clockTimeIn, dayIn, startOfDay } from '../../../kernel/time-zone';
import type { EventOutline, ShownOutline } from '../application/calendar-queries';
import type { EventType } from '../domain/calendar-event';

/** The length at which titles are cut, in code points. */
export const SHOWN_TITLE = 80;
/** Further entries of a day are shown as a number. */
const SHOWN_ON_DAY = 5;
/** A Monday, and the days after it. */
const ANY_WEEK = Array.from({ length: 7 }, (_, index) => addDays('2027-01-04', index));
const TYPE_NAMES: Record<EventType, string> = {
  visit: 'Visit',
  event: 'Event',
  hold: 'Hold',
  block: 'Block',
};

/** A month, `YYYY-MM`, and the whole weeks that cover it. */
export interface MonthFrame {
  readonly month: string;
  readonly first: string;
  /** The day after the last. */
  readonly end: string;
}

/** `month` comes from an address. Anything but a month between 1900 and 2999 is replaced by the month of `today`. */
export function monthFrame(month: string, today: string): MonthFrame {
  const shown = /^(19|2\d)\d\d-(0[1-9]|1[0-2])$/.test(month) && month > '1900-01' ? month : today.slice(0, 7);
  const firstDay = `${shown}-01`;
  const first = addDays(firstDay, -weekdayOf(firstDay));
  const lastDay = addDays(`${nextMonth(shown)}-01`, -1);
  return { month: shown, first, end: addDays(lastDay, 7 - weekdayOf(lastDay)) };
}

interface CalendarMonthProps {
  frame: MonthFrame;
  today: string;
  zone: string;
  events: readonly ShownOutline[];
  /** The address of the page, without the month. */
  path: Path;
}

/** A month as a table of weeks, or on a phone as a list of the days with entries. */
export function CalendarMonth({ frame, today, zone, events, path }: CalendarMonthProps) {
  const { monthName, weekdayName } = useDayNames();
  const weeks: string[][] = [];
  for (let monday = frame.first; monday < frame.end; monday = addDays(monday, 7)) {
    weeks.push(ANY_WEEK.map((_, index) => addDays(monday, index)));
  }
  return (
    <>
      <nav aria-label="Months" class="pagination">
        <Link to={`${path}?month=${previousMonth(frame.month)}`} rel="prev" class="button secondary">
          <span aria-hidden="true">← </span>
          {monthName(previousMonth(frame.month))}
        </Link>
        <Link to={`${path}?month=${nextMonth(frame.month)}`} rel="next" class="button secondary">
          {monthName(nextMonth(frame.month))}
          <span aria-hidden="true"> →</span>
        </Link>
      </nav>
      <table role="table" class="month">
        <caption>{monthName(frame.month)}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {ANY_WEEK.map((day) => (
              <th role="columnheader" scope="col">
                <abbr title={weekdayName(day)}>{weekdayName(day, 'short')}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {weeks.map((week) => (
            <tr role="row">
              {week.map((day) => (
                <Day
                  day={day}
                  zone={zone}
                  events={events}
                  path={path}
                  isToday={day === today}
                  isOutside={!day.startsWith(frame.month)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

interface DayProps extends Pick<CalendarMonthProps, 'zone' | 'events' | 'path'> {
  day: string;
  isToday: boolean;
  isOutside: boolean;
}

function Day({ day, zone, events, path, isToday, isOutside }: DayProps) {
  // Numbers compare twenty times faster than dates, and this runs for each event on each day.
  const [start, end] = [day, addDays(day, 1)].map((each) => startOfDay(zone, each).getTime()) as [
    number,
    number,
  ];
  const onDay = events.filter(({ startsAt, endsAt }) => startsAt.getTime() < end && endsAt.getTime() > start);
  const { monthName, weekdayName } = useDayNames();
  const classes = ['day', ...(isOutside ? ['outside'] : []), ...(onDay.length === 0 ? ['free'] : [])];
  return (
    <td role="cell" class={classes.join(' ')} aria-current={isToday ? 'date' : undefined}>
      <time datetime={day}>
        <span class="weekday">{weekdayName(day)} </span>
        {Number(day.slice(8))}
        <span class="month-name"> {monthName(day)}</span>
      </time>
      {onDay.length > 0 && (
        <ul>
          {onDay.slice(0, SHOWN_ON_DAY).map((event) => (
            <Entry event={event} day={day} zone={zone} path={path} />
          ))}
        </ul>
      )}
      {onDay.length > SHOWN_ON_DAY && <p class="quiet">{`+ ${onDay.length - SHOWN_ON_DAY} more`}</p>}
    </td>
  );
}

interface EntryProps extends Pick<DayProps, 'day' | 'zone' | 'path'> {
  event: ShownOutline;
}

/** A ranked hold shows its rank and leads to the queue of the day. */
function Entry({ event, day, zone, path }: EntryProps) {
  const { standing } = event;
  const hours = event.allDay ? undefined : hoursOn(day, zone, event);
  return (
    <li class={event.type}>
      {hours && <span class="at">{hours} </span>}
      <span class="type">{TYPE_NAMES[event.type]}: </span>
      {standing ? (
        <Link to={`${path}/days/${day}`}>{`${standing.rank} · ${shortened(event.title)}`}</Link>
      ) : (
        shortened(event.title)
      )}
      {standing?.answerBy && (
        <span class="quiet">
          {' '}
          answer by <Time at={standing.answerBy} zone={zone} />
        </span>
      )}
    </li>
  );
}

function shortened(title: string): string {
  const characters = [...title];
  return characters.length > SHOWN_TITLE ? `${characters.slice(0, SHOWN_TITLE).join('')}…` : title;
}

/** The start time on an event's first day, the end time on its last day, and nothing on the days between. */
function hoursOn(day: string, zone: string, { startsAt, endsAt }: EventOutline): string | undefined {
  if (dayIn(zone, startsAt) === day) return clockTimeIn(zone, startsAt);
  return endsAt <= startOfDay(zone, addDays(day, 1)) ? `until ${clockTimeIn(zone, endsAt)}` : undefined;
}

/** 0 is Monday. */
function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

function nextMonth(month: string): string {
  return addDays(`${month}-01`, 31).slice(0, 7);
}

function previousMonth(month: string): string {
  return addDays(`${month}-01`, -1).slice(0, 7);
}

/** Names of days and months as the workspace's locale writes them. */
function useDayNames() {
  const locale = useLocale();
  const name = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Date(day).toLocaleDateString(locale, { ...options, timeZone: 'UTC' });
  return {
    monthName: (day: string) => name(day.slice(0, 7), { month: 'long', year: 'numeric' }),
    weekdayName: (day: string, weekday: 'long' | 'short' = 'long') => name(day, { weekday }),
  };
}
