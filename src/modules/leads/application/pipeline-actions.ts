import type { AuditActionWords } from '../../audit-log';

/** The audit log's actions on stages, lost reasons and automations. */
export const PIPELINE_ACTIONS = {
  'stage.created': 'Created the stage {target}',
  'stage.updated': 'Changed the stage {target}',
  'stage.archived': 'Archived the stage {target}',
  'stage.restored': 'Restored the stage {target}',
  'stage.reordered': 'Changed the order of the stages',
  'stage.copied': 'Copied the test stages and lost reasons to live data',
  'automation.updated': 'Changed the stages that leads move to by themselves',
  'lost_reason.created': 'Created the lost reason {target}',
  'lost_reason.updated': 'Renamed the lost reason {target}',
  'lost_reason.archived': 'Archived the lost reason {target}',
  'lost_reason.restored': 'Restored the lost reason {target}',
} satisfies AuditActionWords;

export type PipelineAction = keyof typeof PIPELINE_ACTIONS;
