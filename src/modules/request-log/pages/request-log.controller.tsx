import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { RequestLogQueries } from '../application/request-log-queries';
import type { RequestFilter } from '../domain/logged-request';
import { OUTCOMES, RequestLogPage } from './request-log-page';

/** Settings → Integrations → Request log. */
@Controller('settings/:workspace/:mode/request-log')
@SettingsPages('admin')
export class RequestLogController {
  constructor(private readonly requestLog: RequestLogQueries) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const wanted = queryText(request, 'outcome');
    const outcome = OUTCOMES.find(({ value }) => value === wanted)?.value || undefined;
    const requestId = queryText(request, 'requestId').trim() || undefined;
    const filter: RequestFilter = { ...(outcome && { outcome }), ...(requestId && { requestId }) };
    const { data, pagination } = await this.requestLog.list(
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
      <RequestLogPage area={area} requests={data} filter={filter} nextCursor={pagination.nextCursor} />,
    );
  }
}
