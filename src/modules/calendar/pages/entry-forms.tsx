import { Injectable } from '@nestjs/common';
import { entityTag } from '../../../kernel/precondition';
import { DAY_MS } from '../../../kernel/time-zone';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { type Area, refOf } from '../../shell';
import { CalendarQueries } from '../application/calendar-queries';
import type { EventChangeInput, EventInput } from '../application/event-input';
import { type CalendarEventView, EVENT_TYPES, type EventType } from '../domain/calendar-event';
import { calendarPath, dayPath, entryPath } from './calendar-paths';
import { EntryFormPage } from './entry-form';
import { areTimesChanged, readGuests, readSpaces, readTimes, renameProblems, timesOf } from './plan-form';
import { PlanLeads } from './plan-leads';

const STALE =
  'somebody else has changed this entry since you opened the form; what you typed is kept: compare it with the entry’s page, then save again';
const ADD_TITLES: Record<EventType, string> = {
  event: 'Add an event',
  visit: 'Plan a visit',
  hold: 'Add a hold without a rank',
  block: 'Add a block',
};

/** The forms in which people add and edit entries of the calendar. */
@Injectable()
export class EntryForms {
  constructor(
    private readonly queries: CalendarQueries,
    private readonly leads: PlanLeads,
  ) {}

  async adding(area: Area, form: FormInput): Promise<HtmlPage> {
    renameProblems(form);
    const day = form.value('startDay');
    const type = EVENT_TYPES.find((each) => each === form.value('type')) ?? 'event';
    const page = (
      <EntryFormPage
        area={area}
        title={ADD_TITLES[type]}
        form={form}
        zone={area.workspace.timeZone}
        spaces={await this.queries.spacesInUse(refOf(area))}
        action={calendarPath(area, 'events')}
        back={fieldRules.plannableDate(day) ? calendarPath(area) : dayPath(area, day)}
        submit="Add"
      />
    );
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }

  /** @param sent the form that was refused. It stays tied to the state of the entry that it has shown, unless that is why. */
  async editing(area: Area, event: CalendarEventView, sent?: FormInput): Promise<HtmlPage> {
    const ref = refOf(area);
    const isStale = sent !== undefined && explainStale(sent);
    if (sent) renameProblems(sent);
    const form = sent ?? (await this.present(area, event));
    const inUse = await this.queries.spacesInUse(ref);
    const archived = event.spaceIds.filter((id) => !inUse.some((space) => space.id === id));
    const page = (
      <EntryFormPage
        area={area}
        title={`Edit ${event.title}`}
        form={form}
        zone={event.timeZone}
        spaces={[...inUse, ...(await this.queries.getSpaces(ref, archived))]}
        action={entryPath(area, event.id, 'edit')}
        back={entryPath(area, event.id)}
        seen={sent && !isStale ? sent.value('seen') : entityTag(event)}
        submit="Save"
      />
    );
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }

  /** The entry that the form describes; its problems are noted. */
  async read(area: Area, form: FormInput): Promise<EventInput> {
    const lead = await this.leads.read(refOf(area), form);
    return {
      type: readType(form),
      title: form.text('title', fieldRules.text(300)),
      ...readTimes(form, area.workspace.timeZone),
      spaces: { field: 'spaceIds', ids: readSpaces(form) },
      guests: readGuests(form),
      leadId: lead?.id ?? null,
      location: form.optional('location', fieldRules.text(300)),
      description: form.optional('description', fieldRules.text(5000)),
      overHolds: form.isChecked('overHolds'),
    };
  }

  /** What the form changes; its problems are noted. */
  async readChanges(area: Area, form: FormInput, event: CalendarEventView): Promise<EventChangeInput> {
    const before = await this.present(area, event);
    const isSame = (name: string) =>
      form.list(name).toSorted().join('\0') === before.list(name).toSorted().join('\0');
    const lead = isSame('lead') ? undefined : ((await this.leads.read(refOf(area), form))?.id ?? null);
    const spaceIds = readSpaces(form);
    return {
      type: readType(form),
      title: form.text('title', fieldRules.text(300)),
      ...(areTimesChanged(form, before) && wholeTimes(form, event.timeZone)),
      ...(!isSame('spaceIds') && { spaces: { field: 'spaceIds', ids: spaceIds } }),
      ...(lead !== undefined && { leadId: lead }),
      guests: readGuests(form),
      location: form.optional('location', fieldRules.text(300)),
      description: form.optional('description', fieldRules.text(5000)),
      overHolds: form.isChecked('overHolds'),
    };
  }

  private async present(area: Area, event: CalendarEventView): Promise<FormInput> {
    const { type, title, spaceIds, guests, leadId, location, description } = event;
    const lead = leadId && (await this.leads.get(refOf(area), leadId));
    return new FormInput({
      ...{ type, title, spaceIds, ...timesOf(event) },
      guests: guests?.toString(),
      lead: lead ? lead.email : undefined,
      location: location ?? undefined,
      description: description ?? undefined,
    });
  }
}

function readType(form: FormInput): EventType {
  const type = form.text('type', fieldRules.oneOf(EVENT_TYPES)) as EventType;
  if (type === 'visit' && form.value('startTime') === '') {
    form.problems.push({ field: 'startTime', message: 'is required: a visit has a time' });
  }
  return type;
}

/** Without an end an entry takes an hour. Of faulty times there is nothing to add it to. */
function wholeTimes(form: FormInput, zone: string): Pick<EventChangeInput, 'startsAt' | 'endsAt' | 'allDay'> {
  const { startsAt, endsAt } = readTimes(form, zone);
  if (form.isFaulty) return {};
  const allDay = form.value('startTime') === '';
  return { startsAt, endsAt: endsAt ?? anHourAfter(startsAt), allDay };
}

function anHourAfter(startsAt: string): string {
  return new Date(Date.parse(startsAt) + DAY_MS / 24).toISOString();
}

/** Says in a person’s words that the entry isn’t any more as the form has shown it, if that is what is wrong. */
function explainStale(form: FormInput): boolean {
  const stale = form.problems.findIndex(({ field }) => field === 'If-Match');
  if (stale >= 0) form.problems[stale] = { field: 'seen', message: STALE };
  return stale >= 0;
}
