import type { Mode } from '../../../kernel/principal';
import type { AuditActionWords } from '../../audit-log';

export const HOLD_ACTIONS = {
  'hold.adopted': 'Gave unranked holds of {target} a place in the queue: {count}',
  'hold.confirmed_over_holds': 'Confirmed the hold {target} over others ahead of it',
  'hold_policy.updated': 'Changed the hold policy of {target}',
} satisfies AuditActionWords;

export type HoldAction = keyof typeof HOLD_ACTIONS;

/** The target of actions that concern all holds of a mode. */
export function dataOf(mode: Mode): { id: null; name: string } {
  return { id: null, name: mode === 'live' ? 'live data' : 'test data' };
}
