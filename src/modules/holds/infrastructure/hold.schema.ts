import { EntitySchema } from 'typeorm';
import { fromUuid, type SpaceId, toUuid } from '../../../kernel/ids';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { Hold } from '../domain/hold';

export const HoldSchema = new EntitySchema<Hold>({
  name: 'Hold',
  target: Hold,
  tableName: 'holds',
  columns: {
    ...workspaceColumns,
    id: idColumn('hold', 'id', { primary: true }),
    position: { type: 'int' },
    title: { type: 'text' },
    leadId: idColumn('lead', 'lead_id', { nullable: true }),
    guests: { type: 'int', nullable: true },
    notes: { type: 'text', nullable: true },
    group: { name: 'group_name', type: 'text', nullable: true },
    spaceIds: {
      name: 'space_ids',
      type: 'uuid',
      array: true,
      transformer: {
        to: (ids: SpaceId[]) => ids.map(toUuid),
        from: (uuids: string[]) => uuids.map((uuid) => fromUuid('space', uuid)),
      },
    },
    startsAt: { name: 'starts_at', type: 'timestamptz' },
    endsAt: { name: 'ends_at', type: 'timestamptz' },
    timeZone: { name: 'time_zone', type: 'text' },
    startDay: { name: 'start_day', type: 'date', nullable: true },
    endDay: { name: 'end_day', type: 'date', nullable: true },
    status: { type: 'text' },
    endedReason: { name: 'ended_reason', type: 'text', nullable: true },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
    challengeDeadline: { name: 'challenge_deadline', type: 'timestamptz', nullable: true },
    confirmBy: { name: 'confirm_by', type: 'timestamptz', nullable: true },
    answerFloor: { name: 'answer_floor', type: 'timestamptz', nullable: true },
    answerBy: { name: 'answer_by', type: 'timestamptz', nullable: true },
    remindedFor: { name: 'reminded_for', type: 'timestamptz', nullable: true },
    nextAt: { name: 'next_at', type: 'timestamptz', nullable: true },
    calendarEventId: idColumn('cal', 'calendar_event_id'),
    placedAt: { name: 'placed_at', type: 'timestamptz' },
    endedAt: { name: 'ended_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    revision: { type: 'int' },
  },
});
