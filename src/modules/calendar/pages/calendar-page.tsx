import { ButtonLink } from '../../../platform/pages/components/button';
import { Notice } from '../../../platform/pages/components/notice';
import { Secret } from '../../../platform/pages/components/secret';
import { Actions } from '../../../platform/pages/components/section';
import { type Area, isAdmin, SettingsPage } from '../../shell';
import { MOST_COUNTED } from '../application/month-queries';
import type { SpaceView } from '../domain/space';
import { CalendarMonth, type CalendarMonthProps, MonthNavigation } from './calendar-month';
import { calendarPath } from './calendar-paths';
import { CalendarFilters, CalendarTabs } from './calendar-toolbar';
import { withFilter } from './calendar-view';
import { TYPE_NAMES } from './entry-texts';
import { FeedSection } from './feed-section';

const NOTICES = new Map([['revoked', 'The link was revoked. Calendar apps can no longer use it.']]);

interface CalendarPageProps extends CalendarMonthProps {
  spaces: readonly SpaceView[];
  /** Whether there are more entries than were counted. */
  isCut: boolean;
  /** When the visitor’s link was created, if there is one. */
  linkMadeAt: Date | undefined;
  notice: string;
}

export function CalendarPage(props: CalendarPageProps) {
  const { area, frame, entries, spaces, filter, isCut, linkMadeAt, notice } = props;
  const { month } = frame;
  return (
    <SettingsPage
      area={area}
      place=":mode/calendar"
      title="Calendar"
      intro={`Times are in ${area.workspace.timeZone.replaceAll('_', ' ')}.`}
      actions={<ButtonLink to={calendarPath(area, 'events/new')}>Add event</ButtonLink>}
      done={NOTICES.get(notice)}
    >
      <CalendarTabs area={area} month={month} current={`${calendarPath(area)}?month=${month}`} />
      <div class="calendar-bar">
        <MonthNavigation {...props} />
        <CalendarFilters area={area} month={month} filter={filter} spaces={spaces} />
      </div>
      {isCut && (
        <Notice kind="warning">
          {`These weeks have more than ${MOST_COUNTED.toLocaleString('en')} entries. Later ones are missing here; the API returns all of them.`}
        </Notice>
      )}
      <CalendarMonth {...props} />
      <Legend />
      {entries.length === 0 && (
        <p class="quiet">
          Nothing planned in these weeks. Choose a day to hold it, or to add an event or a visit.
        </p>
      )}
      {(entries.length > 0 || isAdmin(area)) && (
        <Actions>
          {entries.length > 0 && (
            <ButtonLink kind="secondary" to={withFilter(calendarPath(area, 'export'), filter, { month })}>
              Export as CSV
            </ButtonLink>
          )}
          {isAdmin(area) && (
            <ButtonLink kind="secondary" to={calendarPath(area, 'hold-policy')}>
              Hold policy
            </ButtonLink>
          )}
        </Actions>
      )}
      <FeedSection area={area} linkMadeAt={linkMadeAt} />
    </SettingsPage>
  );
}

function Legend() {
  return (
    <ul class="legend" aria-label="Colours">
      {Object.entries(TYPE_NAMES).map(([type, name]) => (
        <li class={type}>{name}</li>
      ))}
    </ul>
  );
}

/** The only page that shows the link. */
export function NewCalendarLinkPage({ area, link }: { area: Area; link: string }) {
  return (
    <SettingsPage area={area} place=":mode/calendar" title="Copy the link now">
      <Notice kind="warning" title="You won’t see it again">
        Paste it where your calendar app adds a calendar “by URL” or “from the internet”. Earlier links no
        longer work.
      </Notice>
      <Secret name="link" label={`Your link to the ${area.mode} calendar`} value={link} />
      <ButtonLink to={calendarPath(area)}>I have copied it</ButtonLink>
    </SettingsPage>
  );
}
