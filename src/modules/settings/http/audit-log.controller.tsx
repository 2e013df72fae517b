import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { AuditLogQueries } from '../../audit-log';
import { type Area, InArea, SettingsPages } from './area';
import { AuditLogPage } from './audit-log-page';
import { listRequest } from './list-request';

@Controller('settings/:workspace/audit-log')
@SettingsPages('admin')
export class AuditLogController {
  constructor(
    private readonly auditLog: AuditLogQueries,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response, @InArea() area: Area): Promise<void> {
    const { data, pagination } = await this.auditLog.list(
      area.workspace.id,
      listRequest(request, {
        list: 'audit-log',
        sort: { field: 'occurredAt', descending: true },
        kind: 'instant',
        idPrefix: 'aud',
      }),
    );
    this.pages.send(response, <AuditLogPage area={area} records={data} nextCursor={pagination.nextCursor} />);
  }
}
