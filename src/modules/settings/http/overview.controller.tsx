import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { type Area, InArea, SettingsPages } from './area';
import { OverviewPage } from './overview-page';

@Controller('settings/:workspace')
@SettingsPages('member')
export class OverviewController {
  constructor(private readonly pages: PageRenderer) {}

  @Get()
  show(@Res() response: Response, @InArea() area: Area): void {
    this.pages.send(response, <OverviewPage area={area} baseUrl={this.pages.addressOf('')} />);
  }
}
