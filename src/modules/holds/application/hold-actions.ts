import type { AuditActionWords } from '../../audit-log';

export const HOLD_ACTIONS = {
  'hold.confirmed_over_holds': 'Confirmed the hold {target} over others ahead of it',
  'hold_policy.updated': 'Changed the hold policy of {target}',
} satisfies AuditActionWords;

export type HoldAction = keyof typeof HOLD_ACTIONS;
