import { Injectable } from '@nestjs/common';
import { fromUuid, parseId } from '../../../kernel/ids';
import type { PageRequest } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { type FoundRequests, MOST_SEARCHED, RequestLogReader } from '../application/request-log-queries';
import type { LoggedRequest, Outcome, RequestFilter } from '../domain/logged-request';

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
const PARTS: Record<Outcome, string> = {
  succeeded: 'NOT failed',
  failed: 'failed',
  '4xx': 'failed',
  '5xx': 'failed',
};
const NEWEST_FIRST = 'ORDER BY occurred_at DESC, id DESC';

@Injectable()
export class PostgresRequestLogReader extends RequestLogReader {
  constructor(private readonly database: Database) {
    super();
  }

  /** What no index finds is looked for among the newest requests only. */
  async list(ref: WorkspaceRef, filter: RequestFilter, request: PageRequest): Promise<FoundRequests> {
    const searched = searchedConditions(filter, new Parameters()).length > 0;
    const parameters = new Parameters();
    const conditions = indexedConditions(ref, filter, parameters);
    const parts = filter.outcome ? [PARTS[filter.outcome]] : ['NOT failed', 'failed'];
    const window = searched ? newest(conditions, parts, request, parameters) : undefined;
    const slice = await readSlice(
      this.database,
      {
        columns: COLUMNS,
        from: window ? `(${window}) AS newest` : 'request_log',
        conditions: window ? searchedConditions(filter, parameters) : conditions,
        parts: window ? [] : parts,
        parameters,
        sort: { column: 'occurred_at', type: 'timestamptz', nullable: false },
        request,
        total: '0',
      },
      toLoggedRequest,
    );
    const searchedUntil = window && !slice.hasMore ? await this.reached(ref, filter, parts, request) : null;
    return { ...slice, searchedUntil };
  }

  /** Null when the search has looked at everything. */
  private async reached(
    ref: WorkspaceRef,
    filter: RequestFilter,
    parts: readonly string[],
    request: PageRequest,
  ): Promise<Date | null> {
    const parameters = new Parameters();
    const window = newest(indexedConditions(ref, filter, parameters), parts, request, parameters);
    const [row] = await this.database.sql<{ found: number; reached: Date | null }>(
      `SELECT count(*)::int AS found, min(occurred_at) AS reached FROM (${window}) AS newest`,
      parameters.values,
    );
    return row!.found === MOST_SEARCHED ? row!.reached : null;
  }
}

/** The newest requests from a page's cursor on. */
function newest(
  conditions: readonly string[],
  parts: readonly string[],
  { after }: PageRequest,
  parameters: Parameters,
): string {
  const most = parameters.add(MOST_SEARCHED);
  const before = parameters.when(after?.value ?? undefined, (at) => `occurred_at <= ${at}::timestamptz`);
  const ranges = parts.map(
    (part) => `(SELECT ${COLUMNS} FROM request_log WHERE ${[...conditions, part, ...before].join(' AND ')}
      ${NEWEST_FIRST} LIMIT ${most})`,
  );
  return `SELECT * FROM (${ranges.join(' UNION ALL ')}) AS ranges ${NEWEST_FIRST} LIMIT ${most}`;
}

/** Those that an index finds. */
function indexedConditions(
  ref: WorkspaceRef,
  { requestId, from, until }: RequestFilter,
  parameters: Parameters,
): string[] {
  return [
    ...parameters.inWorkspace(ref),
    ...parameters.when(requestId, (place) => `request_id = ${place}`),
    ...parameters.when(from, (at) => `occurred_at >= ${at}::timestamptz`),
    ...parameters.when(until, (at) => `occurred_at < ${at}::timestamptz`),
  ];
}

function searchedConditions(
  { outcome, method, caller, path }: RequestFilter,
  parameters: Parameters,
): string[] {
  return [
    ...(outcome === '4xx' ? ['status BETWEEN 400 AND 499'] : []),
    ...(outcome === '5xx' ? ['status >= 500'] : []),
    ...parameters.when(method, (place) => `method = ${place}`),
    ...parameters.when(
      caller,
      (place) => `(credential_id = ${place} OR strpos(lower(credential_name), lower(${place})) > 0)`,
    ),
    ...parameters.when(path, (place) => `starts_with(path, ${place})`),
  ];
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
