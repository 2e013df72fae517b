import { Controller, Get, Param, Post } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { type LostReasonId, parseId } from '../../../kernel/ids';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ManageLostReasons } from '../application/manage-lost-reasons';
import { LostReasonPage } from './lost-reasons-section';
import { StagesOverview } from './stages-overview';
import { stagesPath } from './stage-paths';

/** Settings → Sales → Stages: lost reasons. */
@Controller('settings/:workspace/:mode/lost-reasons')
@SettingsPages('admin')
export class LostReasonPagesController {
  constructor(
    private readonly manage: ManageLostReasons,
    private readonly overview: StagesOverview,
  ) {}

  @Post()
  async add(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const name = form.text('name', fieldRules.text(60));
    const done = await form.submit(() => this.manage.create(refOf(area), person, name));
    return done ? backTo(area, 'added') : this.overview.page(area, { forms: { reason: form } });
  }

  @Get(':reason')
  async show(@InArea() area: Area, @Param('reason') id: string): Promise<HtmlPage> {
    const reason = await this.manage.get(refOf(area), reasonId(id));
    const form = new FormInput({ name: reason.name });
    return new HtmlPage(<LostReasonPage area={area} reason={reason} form={form} />);
  }

  @Post(':reason')
  async rename(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('reason') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const reason = await this.manage.get(refOf(area), reasonId(id));
    const name = form.text('name', fieldRules.text(60));
    const done = await form.submit(() => this.manage.rename(refOf(area), person, reason.id, name));
    if (done) return backTo(area, 'saved');
    return new HtmlPage(<LostReasonPage area={area} reason={reason} form={form} />, 422);
  }

  @Post(':reason/archive')
  async archive(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('reason') id: string,
  ): Promise<Redirect> {
    await this.manage.archive(refOf(area), person, reasonId(id));
    return backTo(area, 'archived');
  }

  @Post(':reason/restore')
  async restore(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('reason') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const done = await form.submit(() => this.manage.restore(refOf(area), person, reasonId(id)));
    return done ? backTo(area, 'restored') : this.overview.page(area, { forms: { reason: form } });
  }
}

function reasonId(text: string): LostReasonId {
  const id = parseId('reason', text);
  if (!id) throw new NotFound('page');
  return id;
}

function backTo(area: Area, what: string): Redirect {
  return new Redirect(`${stagesPath(area)}?notice=reason-${what}`);
}
