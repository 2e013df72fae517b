import { Controller, Get } from '@nestjs/common';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { SignedInUser, type User } from '../../accounts';
import { type Area, InArea, OverviewParts, SettingsPages } from '../../shell';
import { OverviewPage } from './overview-page';

@Controller('settings/:workspace')
@SettingsPages('member')
export class OverviewController {
  constructor(
    private readonly configuration: Configuration,
    private readonly parts: OverviewParts,
  ) {}

  @Get()
  async show(@InArea() area: Area, @SignedInUser() user: User): Promise<HtmlPage> {
    const baseUrl = addressOf(this.configuration.publicUrl);
    const request = { area: { ...area, mode: area.browsedMode }, visitor: user.id };
    const parts = await this.parts.contents(request);
    return new HtmlPage(<OverviewPage area={request.area} baseUrl={baseUrl} parts={parts} />);
  }
}
