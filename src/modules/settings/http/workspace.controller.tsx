import { Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Person } from '../../../kernel/actor';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { ChangeWorkspace } from '../../workspaces';
import { type Area, InArea, settingsPath, SettingsPages } from './area';
import { WorkspacePage } from './workspace-page';

@Controller('settings/:workspace/workspace')
@SettingsPages('member')
export class WorkspaceController {
  constructor(
    private readonly changeWorkspace: ChangeWorkspace,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  show(@Res() response: Response, @InArea() area: Area): void {
    const { name, timeZone, currency, locale } = area.workspace;
    const saved = queryText(response.req, 'notice') === 'saved';
    const form = new FormInput({ name, timeZone, currency, locale });
    this.pages.send(response, <WorkspacePage area={area} form={form} saved={saved} />);
  }

  @Post()
  async save(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const settings = {
      name: form.text('name', fieldRules.text(100)),
      timeZone: form.text('timeZone', fieldRules.text(100)),
      currency: form.text('currency', fieldRules.text(3)),
      locale: form.text('locale', fieldRules.text(35)),
    };
    const done = await form.submit(() => this.changeWorkspace.execute(area.workspace.id, person, settings));
    if (done) this.pages.redirect(response, `${settingsPath(area, 'workspace')}?notice=saved`);
    else this.pages.send(response, <WorkspacePage area={area} form={form} />, 422);
  }
}
