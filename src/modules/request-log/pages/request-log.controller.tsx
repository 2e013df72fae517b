import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { RequestLogQueries } from '../application/request-log-queries';
import { askedRequests, filterOf } from './asked-requests';
import { RequestLogPage } from './request-log-page';

/** Settings → Integrations → Request log. */
@Controller('settings/:workspace/:mode/request-log')
@SettingsPages('admin')
export class RequestLogController {
  constructor(private readonly requestLog: RequestLogQueries) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const asked = askedRequests(request);
    const filter = filterOf(asked, area.workspace.timeZone);
    const { data, pagination, searchedUntil } = await this.requestLog.list(
      refOf(area),
      filter,
      listRequest(request, {
        list: 'request-log',
        filters: { ...refOf(area), ...filter },
        sort: { field: 'occurredAt', descending: true },
        kind: 'instant',
        idPrefix: 'req',
      }),
    );
    return new HtmlPage(
      <RequestLogPage
        {...{ area, asked, searchedUntil }}
        requests={data}
        nextCursor={pagination.nextCursor}
      />,
    );
  }
}
