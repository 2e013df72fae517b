import { NotFound } from '../../../kernel/errors';
import { type CalendarEventId, type LeadId, parseId, type SpaceId } from '../../../kernel/ids';

export const EXAMPLE_SPACE_ID = 'space_01h455vb4pex5vsknk084sn02q';
export const EXAMPLE_EVENT_ID = 'cal_01h455vb4pex5vsknk084sn02q';
export const EXAMPLE_LEAD_ID = 'lead_01h455vb4pex5vsknk084sn02q';

export function spaceId(text: string): SpaceId {
  return parseId('space', text) ?? notFound('space');
}

export function calendarEventId(text: string): CalendarEventId {
  return parseId('cal', text) ?? notFound('calendar event');
}

export function leadId(text: string): LeadId {
  return parseId('lead', text) ?? notFound('lead');
}

function notFound(what: string): never {
  throw new NotFound(what);
}
