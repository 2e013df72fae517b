import type { WorkspaceId } from '../../src/kernel/ids';
import type { Page } from '../../src/kernel/page';
import { AuditLogQueries, type DescribedAuditRecord } from '../../src/modules/audit-log';
import { type PageQuery, toPageRequest } from '../../src/platform/http/page-query';
import type { TestGala } from '../support/start-gala';

export function auditPage(
  { app }: TestGala,
  workspaceId: WorkspaceId,
  query: PageQuery = { limit: '100' },
): Promise<Page<DescribedAuditRecord>> {
  const request = toPageRequest(query, {
    list: 'audit-log',
    sort: { field: 'occurredAt', descending: true },
    kind: 'instant',
    idPrefix: 'aud',
  });
  return app.get(AuditLogQueries, { strict: false }).list(workspaceId, request);
}

/** Newest first. */
export async function auditRecords(
  gala: TestGala,
  workspaceId: WorkspaceId,
): Promise<DescribedAuditRecord[]> {
  return (await auditPage(gala, workspaceId)).data;
}

/** What the log says in plain words, newest first. */
export async function auditSummaries(gala: TestGala, workspaceId: WorkspaceId): Promise<string[]> {
  return (await auditRecords(gala, workspaceId)).map(({ summary }) => summary);
}
