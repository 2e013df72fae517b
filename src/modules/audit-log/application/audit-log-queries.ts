import { Injectable } from '@nestjs/common';
import type { WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import { AuditActions } from '../domain/audit-actions';
import type { AuditRecord } from '../domain/audit-record';

/** A record and what it says in plain words. */
export interface DescribedAuditRecord extends AuditRecord {
  readonly summary: string;
}

export abstract class AuditLogReader {
  abstract list(workspaceId: WorkspaceId, request: PageRequest): Promise<Slice<AuditRecord>>;
}

@Injectable()
export class AuditLogQueries {
  constructor(
    private readonly reader: AuditLogReader,
    private readonly actions: AuditActions,
  ) {}

  /** Of both modes, in the order of the request's only sort, `occurredAt`. */
  async list(workspaceId: WorkspaceId, request: PageRequest): Promise<Page<DescribedAuditRecord>> {
    const { items, ...rest } = await this.reader.list(workspaceId, request);
    const described = items.map((record) => ({ ...record, summary: this.actions.describe(record) }));
    return pageOf(request, { items: described, ...rest }, ({ occurredAt, id }) => ({
      value: occurredAt.toISOString(),
      id,
    }));
  }
}
