import { EntitySchema } from 'typeorm';
import { workspaceColumns } from '../../../platform/persistence/id-column';
import { PipelineStage } from '../domain/pipeline-stage';

export const PipelineStageSchema = new EntitySchema<PipelineStage>({
  name: 'PipelineStage',
  target: PipelineStage,
  tableName: 'stages',
  columns: {
    ...workspaceColumns,
    key: { type: 'text', primary: true },
    name: { type: 'text' },
    outcome: { type: 'text' },
    position: { type: 'int' },
    allowedFrom: { name: 'allowed_from', type: 'text', array: true, nullable: true },
    requiredFields: { name: 'required_fields', type: 'text', array: true },
    maxDays: { name: 'max_days', type: 'int', nullable: true },
    isHidden: { name: 'is_hidden', type: 'boolean' },
    roles: { type: 'text', array: true },
    archivedAt: { name: 'archived_at', type: 'timestamptz', nullable: true },
    moveTo: { name: 'move_to', type: 'text', nullable: true },
    revision: { type: 'int' },
  },
});
