import type { EventChanges, NewEvent } from '../domain/calendar-event';
import type { SpaceInput } from './linked-records';

export interface EventInput extends Omit<NewEvent, 'timeZone' | 'spaceIds'> {
  /** The workspace's when absent. */
  timeZone?: string;
  spaces?: SpaceInput;
  /** Ends the ranked holds that ask for the spaces, instead of being refused. */
  overHolds?: boolean;
}

export interface EventChangeInput extends Omit<EventChanges, 'spaceIds'> {
  spaces?: SpaceInput;
  overHolds?: boolean;
}
