import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import type { WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import { type AuditChange, changesIn } from '../domain/audit-changes';
import { AuditActions } from '../domain/audit-actions';
import type { AuditRecord } from '../domain/audit-record';

/** A record with its summary in plain words. */
export interface DescribedAuditRecord extends AuditRecord {
  readonly summary: string;
  readonly changes: readonly AuditChange[];
}

/** Each given condition narrows the log further. */
export interface AuditFilter {
  /** The name of the actor at that time, ignoring case. */
  readonly by?: string;
  /** What the actions are about, such as `api_key`. */
  readonly kind?: string;
}

export type RecordedActor = Pick<Actor, 'type' | 'name'>;

export interface AuditedTarget {
  readonly id: string;
  /** About when the action was recorded: at most a minute later or an hour earlier than the record. */
  readonly at: Date;
}

export abstract class AuditLogReader {
  abstract list(
    workspaceId: WorkspaceId,
    filter: AuditFilter,
    request: PageRequest,
  ): Promise<Slice<AuditRecord>>;
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
  async list(
    workspaceId: WorkspaceId,
    request: PageRequest,
    filter: AuditFilter = {},
  ): Promise<Page<DescribedAuditRecord>> {
    const { items, ...rest } = await this.reader.list(workspaceId, filter, request);
    const described = items.map((record) => ({
      ...record,
      summary: this.actions.describe(record),
      changes: changesIn(record.details, this.actions.told(record.action)),
    }));
    return pageOf(request, { items: described, ...rest }, ({ occurredAt, id }) => ({
      value: occurredAt.toISOString(),
      id,
    }));
  }

  /** The kinds of objects that a log can be filtered by. */
  kinds(): string[] {
    return this.actions.kinds();
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
