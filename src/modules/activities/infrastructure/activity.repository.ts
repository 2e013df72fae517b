import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type LeadId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  type ActivityFilter,
  type ActivityKey,
  ActivityRepository,
} from '../application/activity-repository';
import type { Activity, ActivityView } from '../domain/activity';
import { ActivitySchema } from './activity.schema';

const OF_LEAD = `${IN_WORKSPACE} AND lead_id = $3`;

@Injectable()
export class PostgresActivityRepository extends ActivityRepository {
  private readonly statements: EntityStatements<Activity>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(ActivitySchema);
  }

  async add(activity: Activity, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(activity), events));
  }

  async findByExternalId(
    ref: WorkspaceRef,
    leadId: LeadId,
    externalId: string,
  ): Promise<ActivityView | undefined> {
    const text = `${this.statements.select} WHERE ${OF_LEAD} AND external_id = $4`;
    return (await this.one(text, [...workspaceKey(ref, leadId), externalId]))?.view();
  }

  lock(ref: WorkspaceRef, { leadId, id }: ActivityKey): Promise<Activity | undefined> {
    const text = `${this.statements.select} WHERE ${OF_LEAD} AND id = $4 FOR NO KEY UPDATE`;
    return this.one(text, workspaceKey(ref, leadId, id));
  }

  async save(activity: Activity, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(activity), events));
  }

  async remove(activity: Activity, events: DomainEvent[]): Promise<void> {
    const text = `DELETE FROM activities WHERE ${IN_WORKSPACE} AND id = $3`;
    await this.database.query(withEvents({ text, values: workspaceKey(activity, activity.id) }, events));
  }

  async find(ref: WorkspaceRef, { leadId, id }: ActivityKey): Promise<ActivityView | undefined> {
    const text = `${this.statements.select} WHERE ${OF_LEAD} AND id = $4`;
    return (await this.one(text, workspaceKey(ref, leadId, id)))?.view();
  }

  list(
    ref: WorkspaceRef,
    leadId: LeadId,
    { type }: ActivityFilter,
    request: PageRequest<'at'>,
  ): Promise<Slice<ActivityView>> {
    const parameters = new Parameters();
    const conditions = [
      ...parameters.inWorkspace(ref),
      `lead_id = ${parameters.add(toUuid(leadId))}`,
      ...parameters.when(type, (place) => `type = ${place}`),
    ];
    const source = this.statements.sortedBy(request.sort.field);
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) =>
      this.statements.read(row).view(),
    );
  }

  private async one(text: string, values: unknown[]): Promise<Activity | undefined> {
    const [row] = await this.database.sql<object>(text, values);
    return row && this.statements.read(row);
  }
}
