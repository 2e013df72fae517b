import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Precondition } from '../../../kernel/precondition';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { BookVisit } from '../application/book-visit';
import { CalendarQueries } from '../application/calendar-queries';
import { ChangeEvent } from '../application/change-event';
import type { EventInput } from '../application/event-input';
import { PlanEvent } from '../application/plan-event';
import { RankedHolds } from '../application/ranked-holds';
import type { CalendarEventView } from '../domain/calendar-event';
import { entryPath, readEntryId } from './calendar-paths';
import { ClashTexts } from './clash-texts';
import { EntryForms } from './entry-forms';
import { CancelPage, type EntryDetails, EntryPage } from './entry-page';
import { PlanLeads } from './plan-leads';

/** Settings → Sales → Calendar → an entry. */
@Controller('settings/:workspace/:mode/calendar/events')
@SettingsPages('member')
export class EntriesController {
  constructor(
    private readonly queries: CalendarQueries,
    private readonly holds: RankedHolds,
    private readonly leads: PlanLeads,
    private readonly forms: EntryForms,
    private readonly clashes: ClashTexts,
    private readonly planEvent: PlanEvent,
    private readonly bookVisit: BookVisit,
    private readonly changeEvent: ChangeEvent,
  ) {}

  @Get('new')
  add(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const day = queryText(request, 'day');
    const type = queryText(request, 'type') || 'event';
    const startDay = fieldRules.plannableDate(day) ? '' : day;
    return this.forms.adding(area, new FormInput({ type, startDay }));
  }

  @Post()
  async create(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    const input = await this.forms.read(area, form);
    const done = await form.submit(() =>
      this.clashes.run(ref, input.spaces!.ids, () => this.plan(ref, input)),
    );
    if (!done) return this.forms.adding(area, form);
    const { id, type, leadId } = done.result;
    const notice = type === 'visit' && leadId ? 'visit-booked' : 'added';
    return new Redirect(`${entryPath(area, id)}?notice=${notice}`);
  }

  @Get(':event')
  async show(@Req() request: Request, @InArea() area: Area, @Param('event') id: string): Promise<HtmlPage> {
    const notice = queryText(request, 'notice');
    return new HtmlPage(<EntryPage area={area} {...await this.details(area, id)} notice={notice} />);
  }

  @Get(':event/edit')
  async edit(@InArea() area: Area, @Param('event') id: string): Promise<PageAnswer> {
    const { event, isFixed } = await this.changeable(area, id);
    return isFixed ? new Redirect(entryPath(area, event.id)) : this.forms.editing(area, event);
  }

  @Post(':event/edit')
  async change(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('event') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    const event = await this.queries.get(ref, readEntryId(id));
    const changes = await this.forms.readChanges(area, form, event);
    const seen = new Precondition([form.value('seen')]);
    const asked = changes.spaces?.ids ?? event.spaceIds;
    const done = await form.submit(() =>
      this.clashes.run(ref, asked, () => this.changeEvent.update(ref, event.id, changes, seen)),
    );
    if (done) return new Redirect(`${entryPath(area, event.id)}?notice=saved`);
    return this.forms.editing(area, await this.queries.get(ref, event.id), form);
  }

  @Get(':event/cancel')
  async askToCancel(@InArea() area: Area, @Param('event') id: string): Promise<PageAnswer> {
    const { event, isFixed } = await this.changeable(area, id);
    if (isFixed) return new Redirect(entryPath(area, event.id));
    const spaceNames = await this.queries.spaceNames(refOf(area), [event]);
    return new HtmlPage(<CancelPage area={area} event={event} spaceNames={spaceNames} />);
  }

  @Post(':event/cancel')
  cancel(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('event') id: string,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    return this.act(area, id, 'cancelled', () => this.changeEvent.cancel(ref, readEntryId(id)));
  }

  @Post(':event/restore')
  restore(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('event') id: string,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    return this.act(area, id, 'restored', () =>
      this.changeEvent.update(ref, readEntryId(id), { status: 'confirmed' }),
    );
  }

  /** A visit of a lead also moves the lead. */
  private plan(ref: Parameters<PlanEvent['execute']>[0], input: EventInput): Promise<CalendarEventView> {
    const { type, leadId, ...visit } = input;
    return type === 'visit' && leadId
      ? this.bookVisit.execute(ref, leadId, visit)
      : this.planEvent.execute(ref, input);
  }

  /** A refusal is shown on the entry's page. */
  private async act(
    area: Area,
    id: string,
    notice: string,
    work: () => Promise<unknown>,
  ): Promise<PageAnswer> {
    const form = new FormInput();
    const { event } = await this.details(area, id);
    const ref = refOf(area);
    const done = await form.submit(() => this.clashes.run(ref, event.spaceIds, work, { canEndHolds: false }));
    if (done) return new Redirect(`${entryPath(area, event.id)}?notice=${notice}`);
    const refusal = form.problems.map(({ message }) => message).join(' ');
    return new HtmlPage(<EntryPage area={area} {...await this.details(area, id)} refusal={refusal} />, 422);
  }

  /** @throws NotFound for text that is no id, or an unknown entry */
  private async details(area: Area, id: string): Promise<EntryDetails> {
    const ref = refOf(area);
    const event = await this.queries.get(ref, readEntryId(id));
    const isHold = event.type === 'hold';
    return {
      event,
      spaceNames: await this.queries.spaceNames(ref, [event]),
      lead: event.leadId && (await this.leads.get(ref, event.leadId)),
      holdId: isHold ? await this.holds.keeper.beside(ref, event.id) : undefined,
      standing: isHold ? (await this.holds.keeper.standings(ref, [event.id])).get(event.id) : undefined,
    };
  }

  /** Cancelled ones are restored first, and those beside a ranked hold change with it. */
  private async changeable(area: Area, id: string): Promise<{ event: CalendarEventView; isFixed: boolean }> {
    const { event, holdId } = await this.details(area, id);
    return { event, isFixed: event.status === 'cancelled' || holdId !== undefined };
  }
}
