import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Precondition } from '../../../kernel/precondition';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ChangeLead } from '../application/change-lead';
import { LeadForms } from './lead-forms';
import { sentencesOf } from './problem-sentences';
import { LeadPage, leadIdOf } from './lead-page';
import { leadPath } from './lead-paths';

/** Settings → Sales → Leads → a lead. */
@Controller('settings/:workspace/:mode/leads/:lead')
@SettingsPages('member')
export class LeadPagesController {
  constructor(
    private readonly page: LeadPage,
    private readonly forms: LeadForms,
    private readonly changeLead: ChangeLead,
  ) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area, @Param('lead') id: string): Promise<HtmlPage> {
    return this.page.show(area, await this.page.find(area, id), { request });
  }

  @Get('edit')
  async edit(@InArea() area: Area, @Param('lead') id: string): Promise<PageAnswer> {
    const lead = await this.page.find(area, id);
    if (lead.archivedAt) return new Redirect(leadPath(area, lead.id));
    return this.forms.editing(area, lead);
  }

  @Post('edit')
  async change(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('lead') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const lead = await this.page.find(area, id);
    const fields = await this.forms.read(area, form, lead);
    const seen = new Precondition([form.value('seen')]);
    const ref = { ...refOf(area), actor: person };
    const done = await form.submit(() => this.changeLead.update(ref, lead.id, fields, seen));
    if (done) return new Redirect(LeadPage.path(area, lead.id));
    return this.forms.editing(area, await this.page.find(area, id), form);
  }

  @Post('stage')
  move(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('lead') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor: person };
    const stage = form.value('stage');
    return this.act(area, id, 'moved', () => this.changeLead.update(ref, leadIdOf(id), { stage }));
  }

  @Post('archive')
  archive(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('lead') id: string,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor: person };
    return this.act(area, id, 'archived', () => this.changeLead.archive(ref, leadIdOf(id)));
  }

  @Post('restore')
  restore(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('lead') id: string,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor: person };
    return this.act(area, id, 'restored', () => this.changeLead.restore(ref, leadIdOf(id)));
  }

  /** A refusal is shown on the lead's page. */
  private async act(
    area: Area,
    id: string,
    notice: string,
    work: () => Promise<unknown>,
  ): Promise<PageAnswer> {
    const form = new FormInput();
    if (await form.submit(work)) return new Redirect(LeadPage.path(area, leadIdOf(id), notice));
    const lead = await this.page.find(area, id);
    return this.page.show(area, lead, { refusal: sentencesOf(form.problems) });
  }
}
