import { Controller, Get } from '@nestjs/common';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { SignedInUser, type User } from '../../accounts';
import { type Area, InArea, isAdmin, OverviewParts, SettingsPages, SetupSteps } from '../../shell';
import { OverviewPage } from './overview-page';

@Controller('settings/:workspace')
@SettingsPages('member')
export class OverviewController {
  constructor(
    private readonly parts: OverviewParts,
    private readonly steps: SetupSteps,
  ) {}

  @Get()
  async show(@InArea() area: Area, @SignedInUser() user: User): Promise<HtmlPage> {
    const request = { area: { ...area, mode: area.browsedMode }, visitor: user.id };
    const steps = isAdmin(area) ? await this.steps.states(area.workspace.id) : [];
    const parts = await this.parts.contents(request);
    return new HtmlPage(<OverviewPage area={request.area} steps={steps} parts={parts} />);
  }
}
