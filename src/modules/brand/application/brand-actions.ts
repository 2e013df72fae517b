import type { AuditActionWords } from '../../audit-log';

export const BRAND_ACTIONS = {
  'brand.updated': 'Changed the brand of {target}: {fields}',
} satisfies AuditActionWords;

export type BrandAction = keyof typeof BRAND_ACTIONS;
