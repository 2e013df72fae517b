import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type LostReasonId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { isArchived, Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  type LostReasonFilter,
  LostReasonRepository,
  type ReasonsTaken,
} from '../application/lost-reason-repository';
import type { LostReason, LostReasonView } from '../domain/lost-reason';
import { LostReasonSchema } from './lost-reason.schema';

@Injectable()
export class PostgresLostReasonRepository extends LostReasonRepository {
  private readonly statements: EntityStatements<LostReason>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(LostReasonSchema);
  }

  async lockAll(ref: WorkspaceRef, name = ''): Promise<ReasonsTaken> {
    await this.database.sql('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [
      toUuid(ref.workspaceId),
    ]);
    const [counts] = await this.database.sql<{ active: number; all: number }>(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE archived_at IS NULL)::int AS active
       FROM lost_reasons WHERE ${IN_WORKSPACE}`,
      workspaceKey(ref),
    );
    const [namesake] = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE} AND fold_text(name) = fold_text($3)`,
      [...workspaceKey(ref), name],
    );
    return { ...counts!, namesake: namesake && this.statements.read(namesake).view() };
  }

  async lock(ref: WorkspaceRef, id: LostReasonId): Promise<LostReason | undefined> {
    return this.byKey(ref, id, 'FOR UPDATE');
  }

  async lockForUse(ref: WorkspaceRef, id: LostReasonId): Promise<LostReasonView | undefined> {
    return (await this.byKey(ref, id, 'FOR KEY SHARE'))?.view();
  }

  async add(reason: LostReason, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(reason), events));
  }

  async save(reason: LostReason, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(reason), events));
  }

  async find(ref: WorkspaceRef, id: LostReasonId): Promise<LostReasonView | undefined> {
    return (await this.byKey(ref, id))?.view();
  }

  list(
    ref: WorkspaceRef,
    { archived }: LostReasonFilter,
    request: PageRequest,
  ): Promise<Slice<LostReasonView>> {
    const parameters = new Parameters();
    const conditions = [...parameters.inWorkspace(ref), ...isArchived(archived)];
    const source = this.statements.sortedBy('name');
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) =>
      this.statements.read(row).view(),
    );
  }

  private async byKey(ref: WorkspaceRef, id: LostReasonId, lock = ''): Promise<LostReason | undefined> {
    const [row] = await this.database.sql<object>(
      `${this.statements.selectByKey} ${lock}`,
      workspaceKey(ref, id),
    );
    return row && this.statements.read(row);
  }
}
