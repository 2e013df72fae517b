import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import type { Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { Secret } from '../../../platform/pages/components/secret';
import { Actions, Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type Area, isAdmin, SettingsPage, settingsPath } from '../../shell';
import type { ShownOutline } from '../application/calendar-queries';
import { CalendarMonth, type MonthFrame } from './calendar-month';

const NOTICES = new Map([['revoked', 'The link was revoked. Calendar apps can no longer use it.']]);

interface CalendarPageProps {
  area: Area;
  frame: MonthFrame;
  today: string;
  events: readonly ShownOutline[];
  /** Whether the month has more entries than the page shows. */
  isCut: boolean;
  /** When the visitor’s link was created, if there is one. */
  linkMadeAt: Date | undefined;
  notice: string;
}

export function CalendarPage({ area, frame, today, events, isCut, linkMadeAt, notice }: CalendarPageProps) {
  const { timeZone } = area.workspace;
  const isEmpty = events.length === 0;
  return (
    <SettingsPage
      area={area}
      place=":mode/calendar"
      title="Calendar"
      intro={`Times are in ${timeZone.replaceAll('_', ' ')}.`}
      done={NOTICES.get(notice)}
    >
      {isCut && (
        <Notice kind="warning">
          This month has more entries than this page can show. The API returns all of them.
        </Notice>
      )}
      <CalendarMonth frame={frame} today={today} zone={timeZone} events={events} path={calendarPath(area)} />
      {isEmpty && <p class="quiet">Nothing planned in these weeks.</p>}
      {(!isEmpty || isAdmin(area)) && (
        <Actions>
          {!isEmpty && (
            <ButtonLink kind="secondary" to={`${calendarPath(area)}/export?month=${frame.month}`}>
              Export as CSV
            </ButtonLink>
          )}
          {isAdmin(area) && (
            <ButtonLink kind="secondary" to={`${calendarPath(area)}/hold-policy`}>
              Hold policy
            </ButtonLink>
          )}
        </Actions>
      )}
      <Section
        title="Subscribe to this calendar"
        intro="Subscribe in Google, Outlook or Apple Calendar. Read-only; keep the link private."
      >
        {linkMadeAt ? (
          <p>
            Your link was created on <Time at={linkMadeAt} zone={timeZone} />. It is shown only once. A new
            link replaces it.
          </p>
        ) : (
          <p>You have no link yet.</p>
        )}
        <Actions>
          <Form action={`${calendarPath(area)}/link`} layout="inline" label="Create a link">
            <Button kind={linkMadeAt ? 'secondary' : 'primary'}>
              {linkMadeAt ? 'Create a new link' : 'Create a link'}
            </Button>
          </Form>
          {linkMadeAt && (
            <Form action={`${calendarPath(area)}/link/revoke`} layout="inline" label="Revoke the link">
              <Button kind="danger">Revoke the link</Button>
            </Form>
          )}
        </Actions>
      </Section>
    </SettingsPage>
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

export function calendarPath(area: Area): Path {
  return settingsPath(area, `${area.mode}/calendar`);
}
