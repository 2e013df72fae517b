import { Injectable } from '@nestjs/common';
import { fromUuid, parseId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
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
export class PostgresRequestLogReader extends RequestLogReader {
  constructor(private readonly database: Database) {
    super();
  }

  list(
    ref: WorkspaceRef,
    { outcome, requestId }: RequestFilter,
    request: PageRequest,
  ): Promise<Slice<LoggedRequest>> {
    const parameters = new Parameters();
    const query = {
      columns: COLUMNS,
      from: 'request_log',
      conditions: [
        ...parameters.inWorkspace(ref),
        ...parameters.when(requestId, (place) => `request_id = ${place}`),
      ],
      parts: outcome ? [PARTS[outcome]] : Object.values(PARTS),
      parameters,
      sort: { column: 'occurred_at', type: 'timestamptz', nullable: false },
      request,
      total: '0',
    };
    return readSlice(this.database, query, toLoggedRequest);
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
