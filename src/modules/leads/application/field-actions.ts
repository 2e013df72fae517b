import type { AuditActionWords } from '../../audit-log';

/** The audit log's actions on custom fields. */
export const FIELD_ACTIONS = {
  'lead_field.created': 'Created the custom field {target}',
  'lead_field.updated': 'Changed the custom field {target}',
  'lead_field.archived': 'Archived the custom field {target}',
  'lead_field.restored': 'Restored the custom field {target}',
  'lead_field.copied': 'Copied the test custom fields to live data',
} satisfies AuditActionWords;

export type FieldAction = keyof typeof FIELD_ACTIONS;
