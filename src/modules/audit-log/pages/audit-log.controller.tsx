import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { type Area, InArea, listRequest, SettingsPages } from '../../shell';
import { AuditLogQueries } from '../application/audit-log-queries';
import { AuditLogPage } from './audit-log-page';

@Controller('settings/:workspace/audit-log')
@SettingsPages('admin')
export class AuditLogController {
  constructor(private readonly auditLog: AuditLogQueries) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const { data, pagination } = await this.auditLog.list(
      area.workspace.id,
      listRequest(request, {
        list: 'audit-log',
        sort: { field: 'occurredAt', descending: true },
        kind: 'instant',
        idPrefix: 'aud',
      }),
    );
    return new HtmlPage(<AuditLogPage area={area} records={data} nextCursor={pagination.nextCursor} />);
  }
}
