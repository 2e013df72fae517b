import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { textProblem } from '../../../kernel/text';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { type Area, InArea, listRequest, SettingsPages } from '../../shell';
import { type AuditFilter, AuditLogQueries } from '../application/audit-log-queries';
import { AuditLogPage } from './audit-log-page';

@Controller('settings/:workspace/audit-log')
@SettingsPages('admin')
export class AuditLogController {
  constructor(private readonly auditLog: AuditLogQueries) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const kinds = this.auditLog.kinds();
    const filter = filterOf(request, kinds);
    const asked = listRequest(request, {
      list: 'audit-log',
      filters: filter,
      sort: { field: 'occurredAt', descending: true },
      kind: 'instant',
      idPrefix: 'aud',
    });
    const { data, pagination } = await this.auditLog.list(
      area.workspace.id,
      { ...asked, isUncounted: true },
      filter,
    );
    return new HtmlPage(
      <AuditLogPage {...{ area, kinds, filter }} records={data} nextCursor={pagination.nextCursor} />,
    );
  }
}

/** Unknown kinds count as absent. */
function filterOf(request: Request, kinds: readonly string[]): AuditFilter {
  const by = queryText(request, 'by').trim();
  const kind = queryText(request, 'kind');
  return {
    ...(by && !textProblem(by) && { by }),
    ...(kinds.includes(kind) && { kind }),
  };
}
