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
import { CustomFieldReader } from '../application/custom-field-reader';
import { ExternalIdTaken } from '../application/lead-matches';
import { type LeadChanges, LeadRepository } from '../application/lead-repository';
import { CustomFields } from '../domain/custom-fields';
import type { Lead } from '../domain/lead';
import { clearFormerLoss } from '../domain/lost-reason';
import { outcomeAt, type StageKey } from '../domain/stage';
import { LeadSchema } from './lead.schema';
import { HAS_FIELDS } from './own-settings';
import { recordOf, recordsOf } from './stage-history';

const UNIQUE_VIOLATION = '23505';

interface Row {
  has_fields: boolean;
}

@Injectable()
export class PostgresLeadRepository extends LeadRepository {
  private readonly statements: EntityStatements<Lead>;
  /** Leads, and whether their workspace has custom fields: it takes no statement more where there are none. */
  private readonly select: string;

  constructor(
    private readonly database: Database,
    private readonly customFields: CustomFieldReader,
  ) {
    super();
    this.statements = database.statements(LeadSchema);
    const { columns, table } = this.statements;
    this.select = `SELECT ${columns}, ${HAS_FIELDS} AS has_fields FROM ${table} WHERE ${IN_WORKSPACE}`;
  }

  async add(lead: Lead, events: DomainEvent[]): Promise<void> {
    await this.write(withEvents(this.statements.insert(lead), events));
  }

  async save(ref: ActingRef, lead: Lead, events: DomainEvent[]): Promise<void> {
    const record = recordOf(ref, events, actorOf(ref));
    await this.write(withEvents(this.statements.update(lead), events, record));
  }

  async saveAll(ref: ActingRef, { added, changed, giving, events }: LeadChanges): Promise<void> {
    if (added.length + changed.length === 0) return;
    if (giving.length > 0) {
      // The database checks after each row whether external ids are unique, and writes the rows in an order of its own.
      await this.database.sql(
        `UPDATE leads SET external_id = NULL WHERE ${IN_WORKSPACE} AND id = ANY($3::uuid[])`,
        [...workspaceKey(ref), giving.map(toUuid)],
      );
    }
    const statements = [
      ...recordsOf(ref, events, actorOf(ref)),
      ...(added.length ? [this.statements.insertAll(added)] : []),
      ...(changed.length ? [this.statements.updateAll(changed)] : []),
    ];
    await this.write(withAllEvents(statements, events.flat()));
  }

  async lock(ref: WorkspaceRef, id: LeadId): Promise<Lead | undefined> {
    const text = `${this.select} AND id = $3 FOR NO KEY UPDATE`;
    return (await this.read(ref, await this.database.sql<Row>(text, workspaceKey(ref, id))))[0];
  }

  async lockAll(ref: WorkspaceRef, ids: readonly LeadId[]): Promise<Lead[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.sql<Row>(
      `${this.select} AND id = ANY($3::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      [...workspaceKey(ref), ids.map(toUuid)],
    );
    return this.read(ref, rows);
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
    const rows = await this.database.sql<Row>(
      `${this.select} AND owner_id = $3 AND id = ANY($4::uuid[])
       ORDER BY id FOR NO KEY UPDATE`,
      [...workspaceKey(ref, owner), ids.map(toUuid)],
    );
    return this.read(ref, rows);
  }

  async lockSomeAt(ref: WorkspaceRef, stage: StageKey, limit: number): Promise<Lead[]> {
    const found: Row[] = [];
    // Archived leads have an index of their own.
    for (const part of [...isArchived('false'), ...isArchived('true')]) {
      const rows = await this.database.sql<Row>(
        `${this.select} AND stage = $3 AND ${part}
         ORDER BY created_at, id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED`,
        [...workspaceKey(ref), stage, limit - found.length],
      );
      found.push(...rows);
    }
    return this.read(ref, found);
  }

  private async write(statement: Statement): Promise<void> {
    // The triggers of `lead_journeys` read it: an imported lead isn't an enquiry that waits for a response.
    if (currentCause().type === 'import')
      await this.database.sql(`SELECT set_config('gala.cause', 'import', true)`);
    try {
      await this.database.query(statement);
    } catch (error) {
      throw isTaken(error) ? new ExternalIdTaken() : error;
    }
  }

  /** The custom fields are read after the leads are locked. */
  private async read(ref: WorkspaceRef, rows: readonly Row[]): Promise<Lead[]> {
    const hasFields = rows.some(({ has_fields }) => has_fields);
    const customFields = hasFields ? await this.customFields.findExisting(ref) : CustomFields.NONE;
    return rows.map((row) => {
      const lead = this.statements.read(row);
      clearFormerLoss(outcomeAt(lead.stage, lead.outcome), lead);
      lead.know(customFields);
      return lead;
    });
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
