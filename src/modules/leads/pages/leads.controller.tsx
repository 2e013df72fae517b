import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { type LeadId, parseId } from '../../../kernel/ids';
import type { FormInput } from '../../../platform/pages/form-input';
import { ScansRows } from '../../../platform/http/scans-rows.decorator';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { CreateLead } from '../application/create-lead';
import type { LeadWritten } from '../application/lead-writes';
import { WriteLeads } from '../application/write-leads';
import type { NewLead } from '../domain/lead';
import { isStageKey, type StageKey } from '../domain/stage';
import { sentencesOf } from './problem-sentences';
import { LeadForms } from './lead-forms';
import { leadPath, leadsPath } from './lead-paths';
import { LeadsOverview } from './leads-overview';
import { LeadsView } from './leads-view';

const MOST_MOVED = 500;
/** So many different reasons are told. */
const MOST_TOLD = 5;

/** Settings → Sales → Leads: the list, the board, and adding a lead. */
@Controller('settings/:workspace/:mode/leads')
@SettingsPages('member')
export class LeadsPagesController {
  constructor(
    private readonly overview: LeadsOverview,
    private readonly forms: LeadForms,
    private readonly createLead: CreateLead,
    private readonly writeLeads: WriteLeads,
  ) {}

  @Get()
  show(@Req() request: Request, @InArea() area: Area, @SignedInPerson() person: Person): Promise<HtmlPage> {
    const view = LeadsView.read(request.query);
    return this.overview.page(area, person.id, view, { notice: queryText(request, 'notice') });
  }

  /** From a row of the list, or for the selected cards of the board. */
  @Post('move')
  @ScansRows()
  async move(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const view = LeadsView.parse(form.value('from'));
    const stage = form.value('stage');
    const ids = [...new Set(form.list('lead'))].map((id) => parseId('lead', id));
    const known = ids.filter((id) => id !== undefined);
    const refusal =
      selectionProblem(ids.length, known.length, stage) ??
      refusalOf(await this.moved(area, person, known, stage));
    if (refusal) return this.overview.page(area, person.id, view, { refusal });
    const path = view.path(leadsPath(area));
    return new Redirect(`${path}${path.includes('?') ? '&' : '?'}notice=moved`);
  }

  @Get('new')
  add(@InArea() area: Area): Promise<HtmlPage> {
    return this.forms.adding(area);
  }

  @Post()
  async create(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const fields = await this.forms.read(area, form);
    const ref = { ...refOf(area), actor: person };
    const done = await form.submit(() => this.createLead.execute(ref, fields as NewLead));
    return done
      ? new Redirect(`${leadPath(area, done.result.id)}?notice=added`)
      : this.forms.adding(area, form);
  }

  private moved(area: Area, person: Person, ids: readonly LeadId[], stage: StageKey): Promise<LeadWritten[]> {
    const ref = { ...refOf(area), actor: person };
    const writes = ids.map((id) => ({ operation: 'update' as const, id, fields: { stage } }));
    return this.writeLeads.run(ref, writes, { atomic: false });
  }
}

function selectionProblem(given: number, known: number, stage: string): string | undefined {
  if (given === 0) return 'Select at least one lead.';
  if (known < given) return 'Select leads of this list.';
  if (known > MOST_MOVED) return `Select at most ${MOST_MOVED} leads at a time.`;
  return isStageKey(stage) ? undefined : 'Choose a stage.';
}

function refusalOf(written: readonly LeadWritten[]): string | undefined {
  const failed = written.flatMap((result) =>
    result.status === 'failed' ? [sentencesOf(result.problems)] : [],
  );
  if (failed.length === 0) return undefined;
  const named = [...new Set(failed)].slice(0, MOST_TOLD).join(' ');
  const count = failed.length === 1 ? '1 lead' : `${failed.length} leads`;
  return `${count} stayed where they were. ${named}`;
}
