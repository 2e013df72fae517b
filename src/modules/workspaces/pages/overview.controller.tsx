import { Controller, Get } from '@nestjs/common';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { type Area, InArea, SettingsPages } from '../../shell';
import { OverviewPage } from './overview-page';

@Controller('settings/:workspace')
@SettingsPages('member')
export class OverviewController {
  constructor(private readonly configuration: Configuration) {}

  @Get()
  show(@InArea() area: Area): HtmlPage {
    const baseUrl = addressOf(this.configuration.publicUrl);
    return new HtmlPage(<OverviewPage area={area} baseUrl={baseUrl} />);
  }
}
