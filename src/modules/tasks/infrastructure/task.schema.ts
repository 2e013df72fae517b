import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { Task } from '../domain/task';

export const TaskSchema = new EntitySchema<Task>({
  name: 'Task',
  target: Task,
  tableName: 'tasks',
  columns: {
    ...workspaceColumns,
    id: idColumn('task', 'id', { primary: true }),
    leadId: idColumn('lead', 'lead_id', { nullable: true }),
    title: { type: 'text' },
    notes: { type: 'text', nullable: true },
    dueOn: { name: 'due_on', type: 'date', nullable: true },
    dueAt: { name: 'due_at', type: 'timestamptz', nullable: true },
    announcedFrom: { name: 'announced_from', type: 'timestamptz', nullable: true },
    overdueAt: { name: 'overdue_at', type: 'timestamptz', nullable: true },
    isAnnounced: { name: 'is_announced', type: 'boolean' },
    assigneeId: idColumn('user', 'assignee_id', { nullable: true }),
    status: { type: 'text' },
    completedAt: { name: 'completed_at', type: 'timestamptz', nullable: true },
    completedBy: { name: 'completed_by', type: 'json', nullable: true },
    archivedAt: { name: 'archived_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    revision: { type: 'int' },
  },
});
