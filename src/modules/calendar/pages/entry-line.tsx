import type { SpaceId } from '../../../kernel/ids';
import { Link } from '../../../platform/pages/components/link';
import { Time } from '../../../platform/pages/components/time';
import type { Area } from '../../shell';
import type { MonthEntry } from '../application/month-queries';
import { entryPath } from './calendar-paths';
import { hoursText, shortened, spacesText, TYPE_NAMES } from './entry-texts';

interface EntryLineProps {
  area: Area;
  entry: MonthEntry;
  day: string;
  /** The last day that it is drawn on, if it is drawn once for several. */
  until?: string;
  spaceNames: ReadonlyMap<SpaceId, string>;
  class?: string;
}

/** An entry of a list or a month, which leads to its page: times, title, type unless it is an event, spaces, guests. */
export function EntryLine({ area, entry, day, until = day, spaceNames, ...rest }: EntryLineProps) {
  const { timeZone: zone } = area.workspace;
  const { id, type, title, standing, guests } = entry;
  const hours = hoursText(zone, entry, day, until);
  const about = [
    type !== 'event' && TYPE_NAMES[type],
    standing?.answerBy && (
      <>
        answer by <Time at={standing.answerBy} zone={zone} />
      </>
    ),
    spacesText(entry.spaceIds, spaceNames),
    guests !== null && String(guests),
  ].filter(Boolean);
  return (
    <li class={['chip', type, rest.class].filter(Boolean).join(' ')}>
      <Link to={entryPath(area, id)}>
        <span class="what">
          {hours && <b>{hours} </b>}
          <bdi>{`${standing ? `${standing.rank} · ` : ''}${shortened(title)}`}</bdi>
        </span>
        {about.length > 0 && (
          <span class="about">
            {about.map((part, index) => (
              <>
                <span class={index === 0 ? 'dot' : undefined}> · </span>
                {part}
              </>
            ))}
          </span>
        )}
      </Link>
    </li>
  );
}

/** Whole days first, and holds of one time by their rank. */
export function byTimeAndRank(one: MonthEntry, other: MonthEntry): number {
  return (
    Number(other.allDay) - Number(one.allDay) ||
    one.startsAt.getTime() - other.startsAt.getTime() ||
    (one.standing?.rank ?? 0) - (other.standing?.rank ?? 0) ||
    (one.id < other.id ? -1 : 1)
  );
}
