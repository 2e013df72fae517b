import { EntitySchema } from 'typeorm';
import { fromUuid, type SpaceId, toUuid } from '../../../kernel/ids';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { CalendarEvent } from '../domain/calendar-event';

export const CalendarEventSchema = new EntitySchema<CalendarEvent>({
  name: 'CalendarEvent',
  target: CalendarEvent,
  tableName: 'calendar_events',
  columns: {
    ...workspaceColumns,
    id: idColumn('cal', 'id', { primary: true }),
    type: { type: 'text' },
    title: { type: 'text' },
    description: { type: 'text', nullable: true },
    startsAt: { name: 'starts_at', type: 'timestamptz' },
    endsAt: { name: 'ends_at', type: 'timestamptz' },
    timeZone: { name: 'time_zone', type: 'text' },
    startDay: { name: 'start_day', type: 'date', nullable: true },
    endDay: { name: 'end_day', type: 'date', nullable: true },
    location: { type: 'text', nullable: true },
    spaceIds: {
      name: 'space_ids',
      type: 'uuid',
      array: true,
      transformer: {
        to: (ids: SpaceId[]) => ids.map(toUuid),
        from: (uuids: string[]) => uuids.map((uuid) => fromUuid('space', uuid)),
      },
    },
    leadId: idColumn('lead', 'lead_id', { nullable: true }),
    guests: { type: 'int', nullable: true },
    status: { type: 'text' },
    sequence: { type: 'int' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
  },
});
