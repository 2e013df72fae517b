import { Injectable } from '@nestjs/common';
import { fromUuid, type Id, parseId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import { RequestLogReader } from '../application/request-log-queries';
import type { LoggedRequest, RequestFilter } from '../domain/logged-request';

interface Row {
  id: string;
  occurred_at: Date;
  request_id: string;
  method: string;
  path: string;
  status: number | null;
  duration_ms: number;
  credential_id: string;
  credential_name: string;
}

const COLUMNS =
  'id, occurred_at, request_id, method, path, status, duration_ms, credential_id, credential_name';
const PARTS = { succeeded: 'NOT failed', failed: 'failed' };

@Injectable()
export class SqlRequestLogReader extends RequestLogReader {
  constructor(private readonly database: Database) {
    super();
  }

  async list(
    { workspaceId, mode }: WorkspaceRef,
    { outcome, requestId }: RequestFilter,
    request: PageRequest,
  ): Promise<Slice<LoggedRequest>> {
    const parameters = new Parameters();
    const conditions = [
      `workspace_id = ${parameters.add(toUuid(workspaceId))}`,
      `mode = ${parameters.add(mode)}`,
    ];
    if (requestId !== undefined) conditions.push(`request_id = ${parameters.add(requestId)}`);
    const text = pageQuery({
      columns: COLUMNS,
      from: 'request_log',
      conditions,
      parts: outcome ? [PARTS[outcome]] : Object.values(PARTS),
      parameters,
      sort: { column: 'occurred_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as Id<'req'>),
      total: '0',
    });
    const rows = await this.database.query<PageRow<Row>>({ text, values: parameters.values });
    return toSlice<Row, LoggedRequest>(rows, request.limit, toLoggedRequest);
  }
}

function toLoggedRequest(row: Row): LoggedRequest {
  const { credential_id: credentialId } = row;
  return {
    id: fromUuid('req', row.id),
    occurredAt: row.occurred_at,
    requestId: row.request_id,
    method: row.method,
    path: row.path,
    status: row.status,
    milliseconds: row.duration_ms,
    credential: {
      type: parseId('key', credentialId) ? 'api_key' : 'oauth',
      id: credentialId,
      name: row.credential_name,
    },
  };
}
