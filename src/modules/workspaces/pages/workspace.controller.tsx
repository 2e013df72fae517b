import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, SettingsPages, settingsPath } from '../../shell';
import { ChangeWorkspace } from '../application/change-workspace';
import { WorkspacePage } from './workspace-page';

@Controller('settings/:workspace/workspace')
@SettingsPages('member')
export class WorkspaceController {
  constructor(private readonly changeWorkspace: ChangeWorkspace) {}

  @Get()
  show(@Req() request: Request, @InArea() area: Area): HtmlPage {
    const { name, timeZone, currency, locale } = area.workspace;
    const saved = queryText(request, 'notice') === 'saved';
    const form = new FormInput({ name, timeZone, currency, locale });
    return new HtmlPage(<WorkspacePage area={area} form={form} saved={saved} />);
  }

  @Post()
  async save(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const settings = {
      name: form.text('name', fieldRules.text(100)),
      timeZone: form.text('timeZone', fieldRules.text(100)),
      currency: form.text('currency', fieldRules.text(3)),
      locale: form.text('locale', fieldRules.text(35)),
    };
    const done = await form.submit(() => this.changeWorkspace.execute(area.workspace.id, person, settings));
    if (done) return new Redirect(`${settingsPath(area, 'workspace')}?notice=saved`);
    return new HtmlPage(<WorkspacePage area={area} form={form} />, 422);
  }
}
