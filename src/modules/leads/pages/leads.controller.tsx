import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { type LeadId, parseId } from '../../../kernel/ids';
import type { FormInput } from '../../../platform/pages/form-input';
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

/** All cards of a board with thirty stages. */
const MOST_MOVED = 500;
/** Of the leads that couldn't be moved, so many are named. */
const MOST_NAMED = 5;

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
  async move(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const view = LeadsView.parse(form.value('from'));
    const stage = form.value('stage');
    const ids = [...new Set(form.list('lead'))].slice(0, MOST_MOVED).map((id) => parseId('lead', id));
    const refusal = isStageKey(stage)
      ? refusalOf(
          await this.moved(
            area,
            person,
            ids.filter((id) => id !== undefined),
            stage,
          ),
        )
      : 'Choose a stage.';
    if (ids.length === 0)
      return this.overview.page(area, person.id, view, { refusal: 'Select at least one lead.' });
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
    const fields = await this.forms.read(area, form, 'create');
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

function refusalOf(written: readonly LeadWritten[]): string | undefined {
  const failed = written.flatMap((result) =>
    result.status === 'failed' ? [sentencesOf(result.problems)] : [],
  );
  if (failed.length === 0) return undefined;
  const named = [...new Set(failed)].slice(0, MOST_NAMED).join(' ');
  const count = failed.length === 1 ? '1 lead' : `${failed.length} leads`;
  return `${count} stayed where they were. ${named}`;
}
