import { Injectable } from '@nestjs/common';
import { type ActingRef, callerOf } from '../../../kernel/actor';
import { currentCause } from '../../../kernel/current-cause';
import type { DomainEvent } from '../../../kernel/domain-event';
import { fromUuid, type LeadId, toUuid, type UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { TimelineActor } from '../../../kernel/timeline';
import { withAllEvents, withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { isArchived } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import type { Statement } from '../../../platform/persistence/statement';
import { ExternalIdTaken } from '../application/lead-matches';
import { type LeadChanges, LeadRepository } from '../application/lead-repository';
import type { Lead } from '../domain/lead';
import { clearFormerLoss } from '../domain/lost-reason';
import { outcomeAt, type StageKey } from '../domain/stage';
import { LeadSchema } from './lead.schema';
import { recordOf, recordsOf } from './stage-history';

const UNIQUE_VIOLATION = '23505';

@Injectable()
export class PostgresLeadRepository extends LeadRepository {
  private readonly statements: EntityStatements<Lead>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(LeadSchema);
  }

  async add(lead: Lead, events: DomainEvent[]): Promise<void> {
    await this.write(withEvents(this.statements.insert(lead), events));
  }

  async save(ref: ActingRef, lead: Lead, events: DomainEvent[]): Promise<void> {
    const record = recordOf(ref, events, actorOf(ref));
    await this.write(withEvents(this.statements.update(lead), events, record));
  }

  async saveAll(ref: ActingRef, { added, changed, events }: LeadChanges): Promise<void> {
    if (added.length + changed.length === 0) return;
    const statements = [
      ...recordsOf(ref, events, actorOf(ref)),
      ...(added.length ? [this.statements.insertAll(added)] : []),
      ...(changed.length ? [this.statements.updateAll(changed)] : []),
    ];
    await this.write(withAllEvents(statements, events.flat()));
  }

  async lock(ref: WorkspaceRef, id: LeadId): Promise<Lead | undefined> {
    const text = `${this.statements.selectByKey} FOR NO KEY UPDATE`;
    const [row] = await this.database.sql<object>(text, workspaceKey(ref, id));
    return row && this.read(row);
  }

  async lockAll(ref: WorkspaceRef, ids: readonly LeadId[]): Promise<Lead[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE} AND id = ANY($3::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      [...workspaceKey(ref), ids.map(toUuid)],
    );
    return rows.map((row) => this.read(row));
  }

  /** In the order of the owners' index. */
  async idsOwnedBy(ref: WorkspaceRef, owner: UserId, atMost: number): Promise<LeadId[]> {
    const rows = await this.database.sql<{ id: string }>(
      `SELECT id FROM leads WHERE ${IN_WORKSPACE} AND owner_id = $3 ORDER BY created_at, id LIMIT $4`,
      [...workspaceKey(ref, owner), atMost],
    );
    return rows.map(({ id }) => fromUuid('lead', id));
  }

  async lockOwnedBy(ref: WorkspaceRef, owner: UserId, ids: readonly LeadId[]): Promise<Lead[]> {
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE} AND owner_id = $3 AND id = ANY($4::uuid[])
       ORDER BY id FOR NO KEY UPDATE`,
      [...workspaceKey(ref, owner), ids.map(toUuid)],
    );
    return rows.map((row) => this.read(row));
  }

  async lockSomeAt(ref: WorkspaceRef, stage: StageKey, limit: number): Promise<Lead[]> {
    const found: Lead[] = [];
    // Archived leads have an index of their own.
    for (const part of [...isArchived('false'), ...isArchived('true')]) {
      const rows = await this.database.sql<object>(
        `${this.statements.select} WHERE ${IN_WORKSPACE} AND stage = $3 AND ${part}
         ORDER BY created_at, id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED`,
        [...workspaceKey(ref), stage, limit - found.length],
      );
      found.push(...rows.map((row) => this.read(row)));
    }
    return found;
  }

  private async write(statement: Statement): Promise<void> {
    try {
      await this.database.query(statement);
    } catch (error) {
      throw isTaken(error) ? new ExternalIdTaken() : error;
    }
  }

  private read(row: object): Lead {
    const lead = this.statements.read(row);
    clearFormerLoss(outcomeAt(lead.stage, lead.outcome), lead);
    return lead;
  }
}

function actorOf(ref: ActingRef): TimelineActor | null {
  const { type, id } = currentCause();
  return callerOf(ref) ?? (type === 'client' ? { type, id, name: null } : null);
}

function isTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'leads_external_id';
}
