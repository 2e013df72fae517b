import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { Lead } from '../domain/lead';

export const LeadSchema = new EntitySchema<Lead>({
  name: 'Lead',
  target: Lead,
  tableName: 'leads',
  columns: {
    ...workspaceColumns,
    id: idColumn('lead', 'id', { primary: true }),
    name: { type: 'text', nullable: true },
    email: { type: 'text' },
    phone: { type: 'text', nullable: true },
    eventDate: { name: 'event_date', type: 'date', nullable: true },
    guests: { type: 'int', nullable: true },
    source: { type: 'text', nullable: true },
    externalId: { name: 'external_id', type: 'text', nullable: true },
    stage: { type: 'text' },
    tags: { type: 'text', array: true },
    ownerId: idColumn('user', 'owner_id', { nullable: true }),
    outcome: { type: 'text', nullable: true },
    lostReasonId: idColumn('reason', 'lost_reason_id', { nullable: true }),
    lostNote: { name: 'lost_note', type: 'text', nullable: true },
    custom: { type: 'jsonb' },
    archivedAt: { name: 'archived_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    revision: { type: 'int' },
    // Computed by the entity, and never read.
    searchText: { name: 'search_text', type: 'text', select: false },
  },
});
