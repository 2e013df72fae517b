import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import type { WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import { AuditActions } from '../domain/audit-actions';
import type { AuditRecord } from '../domain/audit-record';

/** A record with its summary in plain words. */
export interface DescribedAuditRecord extends AuditRecord {
  readonly summary: string;
}

export type RecordedActor = Pick<Actor, 'type' | 'name'>;

export interface AuditedTarget {
  readonly id: string;
  /** About when the action was recorded: at most a minute later or an hour earlier than the record. */
  readonly at: Date;
}

export abstract class AuditLogReader {
  abstract list(workspaceId: WorkspaceId, request: PageRequest): Promise<Slice<AuditRecord>>;
  abstract actorsOf(
    workspaceId: WorkspaceId,
    action: string,
    targets: readonly AuditedTarget[],
  ): Promise<ReadonlyMap<string, RecordedActor>>;
}

@Injectable()
export class AuditLogQueries {
  constructor(
    private readonly reader: AuditLogReader,
    private readonly actions: AuditActions,
  ) {}

  /** Records of both modes. The only sort is `occurredAt`. */
  async list(workspaceId: WorkspaceId, request: PageRequest): Promise<Page<DescribedAuditRecord>> {
    const { items, ...rest } = await this.reader.list(workspaceId, request);
    const described = items.map((record) => ({ ...record, summary: this.actions.describe(record) }));
    return pageOf(request, { items: described, ...rest }, ({ occurredAt, id }) => ({
      value: occurredAt.toISOString(),
      id,
    }));
  }
  /** The actors of an action, by the ids of its targets. Targets without a record are left out. */
  actorsOf(
    workspaceId: WorkspaceId,
    action: string,
    targets: readonly AuditedTarget[],
  ): Promise<ReadonlyMap<string, RecordedActor>> {
    return this.reader.actorsOf(workspaceId, action, targets);
  }
}
