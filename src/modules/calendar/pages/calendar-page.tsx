import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import type { Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { Secret } from '../../../platform/pages/components/secret';
import { Actions, Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { EventOutline } from '../application/calendar-queries';
import { type Area, ModeTabs, SettingsPage, settingsPath } from '../../shell';
import { CalendarMonth, type MonthFrame } from './calendar-month';

const NOTICES = new Map([['revoked', 'The link is revoked. No program gets this calendar by it any more.']]);

interface CalendarPageProps {
  area: Area;
  frame: MonthFrame;
  today: string;
  events: readonly EventOutline[];
  /** There are more than the page shows. */
  isCut: boolean;
  /** When the visitor’s link was made, if there is one. */
  linkMadeAt: Date | undefined;
  notice: string;
}

export function CalendarPage({ area, frame, today, events, isCut, linkMadeAt, notice }: CalendarPageProps) {
  const { timeZone } = area.workspace;
  return (
    <SettingsPage
      area={area}
      place=":mode/calendar"
      title="Calendar"
      intro={`What is planned, by the clocks of ${timeZone.replaceAll('_', ' ')}.`}
      done={NOTICES.get(notice)}
    >
      <ModeTabs area={area} page="calendar" />
      {isCut && (
        <Notice kind="warning">There is more in this month than is shown here. The API has all of it.</Notice>
      )}
      <CalendarMonth frame={frame} today={today} zone={timeZone} events={events} path={calendarPath(area)} />
      {events.length === 0 && <p class="quiet">Nothing is planned in these weeks.</p>}
      <Section
        title="In your calendar program"
        intro="A secret link that programs such as Google Calendar, Outlook or Apple Calendar subscribe to. It only shows, and changes nothing. Whoever has it sees this calendar: it is yours alone."
      >
        {linkMadeAt ? (
          <p>
            Your link was made on <Time at={linkMadeAt} zone={timeZone} />. It is shown only when it is made;
            a new one takes its place.
          </p>
        ) : (
          <p>You have no link to this calendar.</p>
        )}
        <Actions>
          <Form action={`${calendarPath(area)}/link`} layout="inline" label="Make a link">
            <Button kind={linkMadeAt ? 'secondary' : 'primary'}>
              {linkMadeAt ? 'Make a new link' : 'Make a link'}
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

/** The one time that a link is shown. */
export function NewCalendarLinkPage({ area, link }: { area: Area; link: string }) {
  return (
    <SettingsPage area={area} place=":mode/calendar" title="Copy the link now">
      <Notice kind="warning" title="It is shown this once">
        Paste it where your calendar program adds a calendar “by URL” or “from the internet”. A link that you
        had before has stopped working.
      </Notice>
      <Secret name="link" label={`Your link to the ${area.mode} calendar`} value={link} />
      <ButtonLink to={calendarPath(area)}>I have copied it</ButtonLink>
    </SettingsPage>
  );
}

export function calendarPath(area: Area): Path {
  return settingsPath(area, `${area.mode}/calendar`);
}
