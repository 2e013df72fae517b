import { PathId } from '../../../platform/http/path-id';

export const SPACE = new PathId('space', 'space');
export const EVENT = new PathId('cal', 'calendar event');
export const LEAD = new PathId('lead', 'lead');
