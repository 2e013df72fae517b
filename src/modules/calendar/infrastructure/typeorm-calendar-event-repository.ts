import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { DataSource } from 'typeorm';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type CalendarEventId, fromUuid, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { EntityStatements } from '../../../platform/persistence/entity-statements';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import { CalendarEventRepository, SpacesTaken } from '../application/calendar-event-repository';
import { CalendarEvent } from '../domain/calendar-event';
import type { Occupancy } from '../domain/occupancy';
import { CalendarEventSchema } from './calendar-event.schema';

const EXCLUSION_VIOLATION = '23P01';
const MAX_NAMED = 10;
const WANTED = `unnest($4::uuid[], $5::timestamptz[], $6::timestamptz[]) AS wanted (space_id, starts_at, ends_at)`;

@Injectable()
export class TypeOrmCalendarEventRepository extends CalendarEventRepository {
  private readonly statements: EntityStatements<CalendarEvent>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
    private readonly unitOfWork: TypeOrmUnitOfWork,
  ) {
    super();
    this.statements = new EntityStatements(dataSource, CalendarEventSchema);
  }

  async add(event: CalendarEvent, occupancies: readonly Occupancy[], events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(event), events));
    await this.occupy(event, occupancies);
  }

  async lock({ workspaceId, mode }: WorkspaceRef, id: CalendarEventId): Promise<CalendarEvent | undefined> {
    const event = await this.unitOfWork.manager.findOne(CalendarEvent, {
      where: { workspaceId, mode, id },
      lock: { mode: 'for_no_key_update' },
    });
    return event ?? undefined;
  }

  async save(
    event: CalendarEvent,
    occupancies: readonly Occupancy[] | undefined,
    events: DomainEvent[],
  ): Promise<void> {
    await this.database.query(withEvents(this.statements.update(event), events));
    if (!occupancies) return;
    await this.database.query({
      text: `DELETE FROM calendar_occupancies WHERE workspace_id = $1 AND mode = $2 AND event_id = $3`,
      values: keyOf(event),
    });
    await this.occupy(event, occupancies);
  }

  async clashing(event: CalendarEvent, occupancies: readonly Occupancy[]): Promise<CalendarEventId[]> {
    const rows = await this.database.query<{ event_id: string }>({
      text: `SELECT DISTINCT o.event_id FROM calendar_occupancies o JOIN ${WANTED} ON o.space_id = wanted.space_id
             WHERE o.workspace_id = $1 AND o.mode = $2 AND o.event_id <> $3
               AND o.period && tstzrange(wanted.starts_at, wanted.ends_at)
             ORDER BY o.event_id LIMIT ${MAX_NAMED}`,
      values: [...keyOf(event), ...columnsOf(occupancies)],
    });
    return rows.map(({ event_id }) => fromUuid('cal', event_id));
  }

  private async occupy(event: CalendarEvent, occupancies: readonly Occupancy[]): Promise<void> {
    if (occupancies.length === 0) return;
    try {
      await this.database.query({
        text: `INSERT INTO calendar_occupancies (workspace_id, mode, event_id, space_id, period)
               SELECT $1, $2, $3, space_id, tstzrange(starts_at, ends_at) FROM ${WANTED}`,
        values: [...keyOf(event), ...columnsOf(occupancies)],
      });
    } catch (error) {
      if (error instanceof DatabaseError && error.code === EXCLUSION_VIOLATION) {
        throw new SpacesTaken(event, occupancies);
      }
      throw error;
    }
  }
}

function keyOf({ workspaceId, mode, id }: CalendarEvent): unknown[] {
  return [toUuid(workspaceId), mode, toUuid(id)];
}

function columnsOf(occupancies: readonly Occupancy[]): unknown[] {
  return [
    occupancies.map(({ spaceId }) => toUuid(spaceId)),
    occupancies.map(({ from }) => from),
    occupancies.map(({ to }) => to),
  ];
}
