import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type CalendarEventId, fromUuid, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withAllEvents, withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  CalendarEventRepository,
  type Obstacles,
  SpacesTaken,
} from '../application/calendar-event-repository';
import type { CalendarEvent } from '../domain/calendar-event';
import type { Occupancy } from '../domain/occupancy';
import { CalendarEventSchema } from './calendar-event.schema';

const EXCLUSION_VIOLATION = '23P01';
const MAX_NAMED = 10;
const WANTED = `unnest($4::uuid[], $5::timestamptz[], $6::timestamptz[]) AS wanted (space_id, starts_at, ends_at)`;

/** Events by `$1` to `$6`, the one in question left out. */
const CLASHING = `SELECT DISTINCT o.event_id FROM calendar_occupancies o JOIN ${WANTED} ON o.space_id = wanted.space_id
  WHERE ${IN_WORKSPACE} AND o.event_id <> $3 AND o.period && tstzrange(wanted.starts_at, wanted.ends_at)
  ORDER BY o.event_id LIMIT ${MAX_NAMED}`;
const IS_HELD = `EXISTS (SELECT FROM hold_claims c JOIN ${WANTED} ON c.space_id = wanted.space_id
  WHERE ${IN_WORKSPACE} AND c.period && tstzrange(wanted.starts_at, wanted.ends_at))`;

@Injectable()
export class PostgresCalendarEventRepository extends CalendarEventRepository {
  private readonly statements: EntityStatements<CalendarEvent>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(CalendarEventSchema);
  }

  async add(event: CalendarEvent, occupancies: readonly Occupancy[], events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(event), events));
    await this.occupy(event, occupancies);
  }

  async lock(ref: WorkspaceRef, id: CalendarEventId): Promise<CalendarEvent | undefined> {
    const text = `${this.statements.selectByKey} FOR NO KEY UPDATE`;
    const [row] = await this.database.sql<object>(text, workspaceKey(ref, id));
    return row && this.statements.read(row);
  }

  async lockAll(ref: WorkspaceRef, ids: readonly CalendarEventId[]): Promise<CalendarEvent[]> {
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE} AND id = ANY ($3::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      [...workspaceKey(ref), ids.map(toUuid)],
    );
    return rows.map(this.statements.read);
  }

  async lockUnranked(
    ref: WorkspaceRef,
    after: Date,
    ids: readonly CalendarEventId[] | undefined,
    atMost: number,
  ): Promise<CalendarEvent[]> {
    const rows = await this.database.sql<object>(
      `${this.statements.select}
       WHERE ${IN_WORKSPACE} AND type = 'hold' AND status = 'confirmed' AND space_ids <> '{}' AND starts_at > $3
         AND ($4::uuid[] IS NULL OR id = ANY ($4)) AND NOT EXISTS (
           SELECT FROM holds h WHERE h.workspace_id = $1 AND h.mode = $2 AND h.calendar_event_id = "calendar_events".id
         )
       ORDER BY created_at, id LIMIT $5 FOR NO KEY UPDATE`,
      [...workspaceKey(ref), after, ids?.map(toUuid) ?? null, atMost],
    );
    return rows.map(this.statements.read);
  }

  async saveUnclaimed(events: readonly CalendarEvent[], told: readonly DomainEvent[]): Promise<void> {
    await this.database.query(withAllEvents([this.statements.updateAll(events)], told));
  }

  async save(
    event: CalendarEvent,
    occupancies: readonly Occupancy[] | undefined,
    events: DomainEvent[],
  ): Promise<void> {
    await this.database.query(withEvents(this.statements.update(event), events));
    if (!occupancies) return;
    await this.database.sql(
      `DELETE FROM calendar_occupancies WHERE ${IN_WORKSPACE} AND event_id = $3`,
      workspaceKey(event, event.id),
    );
    await this.occupy(event, occupancies);
  }

  async clashing(event: CalendarEvent, occupancies: readonly Occupancy[]): Promise<CalendarEventId[]> {
    const values = [...workspaceKey(event, event.id), ...columnsOf(occupancies)];
    const rows = await this.database.sql<{ event_id: string }>(CLASHING, values);
    return rows.map(({ event_id }) => fromUuid('cal', event_id));
  }

  async obstacles(event: CalendarEvent, occupancies: readonly Occupancy[]): Promise<Obstacles> {
    const [row] = await this.database.sql<{ event_ids: string[]; is_held: boolean }>(
      `SELECT ARRAY(${CLASHING}) AS event_ids, ${IS_HELD} AS is_held`,
      [...workspaceKey(event, event.id), ...columnsOf(occupancies)],
    );
    return { clashing: row!.event_ids.map((id) => fromUuid('cal', id)), isHeld: row!.is_held };
  }

  private async occupy(event: CalendarEvent, occupancies: readonly Occupancy[]): Promise<void> {
    if (occupancies.length === 0) return;
    try {
      await this.database.sql(
        `INSERT INTO calendar_occupancies (workspace_id, mode, event_id, space_id, period)
         SELECT $1, $2, $3, space_id, tstzrange(starts_at, ends_at) FROM ${WANTED}`,
        [...workspaceKey(event, event.id), ...columnsOf(occupancies)],
      );
    } catch (error) {
      if (error instanceof DatabaseError && error.code === EXCLUSION_VIOLATION) {
        throw new SpacesTaken(event, occupancies);
      }
      throw error;
    }
  }
}

function columnsOf(occupancies: readonly Occupancy[]): unknown[] {
  return [
    occupancies.map(({ spaceId }) => toUuid(spaceId)),
    occupancies.map(({ from }) => from),
    occupancies.map(({ to }) => to),
  ];
}
