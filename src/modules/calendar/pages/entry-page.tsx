import type { ComponentChildren } from 'preact';
import type { HoldId, SpaceId } from '../../../kernel/ids';
import { addDays, dayIn } from '../../../kernel/time-zone';
import { Badge } from '../../../platform/pages/components/badge';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { Actions, Section } from '../../../platform/pages/components/section';
import { Day, Time } from '../../../platform/pages/components/time';
import { leadPath, type LeadView } from '../../leads';
import { type Area, SettingsPage } from '../../shell';
import type { HoldStanding } from '../application/ranked-holds';
import type { CalendarEventView } from '../domain/calendar-event';
import { calendarPath, dayPath, entryPath } from './calendar-paths';
import { TYPE_NAMES } from './entry-texts';

const NOTICES = new Map([
  ['added', 'Added to the calendar.'],
  ['visit-booked', 'The visit is booked.'],
  ['saved', 'Changes saved.'],
  ['cancelled', 'Cancelled. It can be restored below.'],
  ['restored', 'Restored.'],
]);

export interface EntryDetails {
  readonly event: CalendarEventView;
  readonly spaceNames: ReadonlyMap<SpaceId, string>;
  readonly lead: LeadView | null;
  /** The ranked hold that it is beside. */
  readonly holdId?: HoldId;
  /** While that hold is live. */
  readonly standing?: HoldStanding;
}

interface EntryPageProps extends EntryDetails {
  area: Area;
  notice?: string;
  /** Why what the visitor just tried wasn’t done. */
  refusal?: string;
}

export function EntryPage(props: EntryPageProps) {
  const { area, event, holdId, notice = '', refusal } = props;
  const day = firstDayOf(event, area.workspace.timeZone);
  const canChange = event.status === 'confirmed' && !holdId;
  return (
    <SettingsPage
      area={area}
      place=":mode/calendar"
      title={event.title}
      intro={
        <>
          <Link to={`${calendarPath(area)}?month=${day.slice(0, 7)}`}>Calendar</Link>
          {' / '}
          <Link to={dayPath(area, day)}>
            <Day on={day} />
          </Link>
        </>
      }
      actions={
        canChange && (
          <>
            <ButtonLink kind="secondary" to={entryPath(area, event.id, 'cancel')}>
              Cancel {TYPE_NAMES[event.type].toLowerCase()}…
            </ButtonLink>
            <ButtonLink to={entryPath(area, event.id, 'edit')}>Edit</ButtonLink>
          </>
        )
      }
      done={NOTICES.get(notice)}
    >
      {refusal && (
        <Notice kind="danger" title="That wasn’t done">
          {refusal}
        </Notice>
      )}
      <Section title="Details">
        <DescriptionList items={factsOf(props)} />
      </Section>
      {event.description && (
        <Section title="Notes">
          <p class="said-words" dir="auto">
            {event.description}
          </p>
        </Section>
      )}
      {holdId && <HoldSection {...props} day={day} />}
      {event.status === 'cancelled' && !holdId && (
        <Section title="Restore" intro="It can be restored while its spaces are still free at that time.">
          <Form action={entryPath(area, event.id, 'restore')} layout="inline" label="Restore">
            <Button kind="secondary">Restore</Button>
          </Form>
        </Section>
      )}
    </SettingsPage>
  );
}

function factsOf({ area, event, spaceNames, lead, standing }: EntryPageProps) {
  const { timeZone: zone } = area.workspace;
  const { type, status, guests, location, spaceIds } = event;
  const facts: { term: string; details: ComponentChildren }[] = [
    {
      term: 'Type',
      details: (
        <>
          {TYPE_NAMES[type]} {status === 'cancelled' && <Badge kind="danger">Cancelled</Badge>}
        </>
      ),
    },
    { term: 'When', details: <Period event={event} zone={zone} /> },
    {
      term: 'Spaces',
      details: spaceIds.length > 0 ? spaceIds.map((id) => spaceNames.get(id) ?? id).join(', ') : 'None',
    },
    { term: 'Guests', details: guests ?? 'Not known' },
  ];
  if (lead) {
    facts.push({
      term: 'Lead',
      details: (
        <Link to={leadPath(area, lead.id)}>
          <bdi>{lead.name ?? lead.email}</bdi>
        </Link>
      ),
    });
  }
  if (location) facts.push({ term: 'Location', details: <bdi>{location}</bdi> });
  if (standing) facts.push({ term: 'Rank', details: `${standing.rank}` });
  if (standing?.answerBy) {
    facts.push({
      term: 'To be confirmed or released by',
      details: <Time at={standing.answerBy} zone={zone} />,
    });
  }
  return facts;
}

/** In the workspace's zone, as all times of its pages; days of another zone are days there. */
export function Period({ event, zone }: { event: CalendarEventView; zone: string }) {
  const { startsAt, endsAt, timeZone } = event;
  const elsewhere = timeZone !== zone && (
    <span class="quiet"> (planned in {timeZone.replaceAll('_', ' ')})</span>
  );
  if (typeof startsAt === 'string' || typeof endsAt === 'string') {
    const [first, last] = [startsAt as string, addDays(endsAt as string, -1)];
    return (
      <>
        <Day on={first} />
        {last > first && (
          <>
            {' to '}
            <Day on={last} />
          </>
        )}
        , all day{elsewhere}
      </>
    );
  }
  return (
    <>
      <Time at={startsAt} zone={zone} /> to <Time at={endsAt} zone={zone} />
      {elsewhere}
    </>
  );
}

function HoldSection({ area, day, standing }: EntryPageProps & { day: string }) {
  return (
    <Section
      title="Ranked hold"
      intro={
        standing
          ? 'It has a place in the queue of its day, where it is confirmed, released, challenged or extended.'
          : 'The hold has ended, and this entry with it.'
      }
    >
      <Actions>
        <ButtonLink kind="secondary" to={dayPath(area, day)}>
          Open the queue of the day
        </ButtonLink>
      </Actions>
    </Section>
  );
}

interface CancelPageProps {
  area: Area;
  event: CalendarEventView;
  spaceNames: ReadonlyMap<SpaceId, string>;
}

export function CancelPage({ area, event, spaceNames }: CancelPageProps) {
  const { id, type, title, spaceIds } = event;
  const takes = (type === 'event' || type === 'block') && spaceIds.length > 0;
  const spaces = spaceIds.map((space) => spaceNames.get(space) ?? space).join(', ');
  return (
    <SettingsPage area={area} place=":mode/calendar" title={`Cancel the ${TYPE_NAMES[type].toLowerCase()}?`}>
      <p>
        <bdi>{title}</bdi>, <Period event={event} zone={area.workspace.timeZone} />
      </p>
      <p>
        {takes && `Others can book ${spaces} at that time again. `}
        It leaves the calendar, and calendar apps show it as cancelled. No message is sent to the client. You
        can restore it later{takes && ', while its spaces are still free'}.
      </p>
      <Form action={entryPath(area, id, 'cancel')}>
        <Actions>
          <Button kind="danger">{`Cancel the ${TYPE_NAMES[type].toLowerCase()}`}</Button>
          <ButtonLink to={entryPath(area, id)} kind="secondary">
            Keep it
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

/** In the workspace's zone. */
export function firstDayOf({ startsAt }: Pick<CalendarEventView, 'startsAt'>, zone: string): string {
  return typeof startsAt === 'string' ? startsAt : dayIn(zone, startsAt);
}
