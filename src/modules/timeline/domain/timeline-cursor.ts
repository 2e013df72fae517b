import { ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import { fingerprintOf } from '../../../kernel/page';
import { parseInstant } from '../../../kernel/time';
import type { TimelinePosition } from '../../../kernel/timeline';

const TYPE = /^[a-z][a-z_]{0,99}$/;
const ID = /^[A-Za-z0-9_-]{1,100}$/;

/** Leads to the entry after that position, in the timeline of that lead alone. */
export function encodeCursor(leadId: LeadId, { at, type, id }: TimelinePosition): string {
  return Buffer.from(JSON.stringify([fingerprintOf(leadId), at, type, id])).toString('base64url');
}

/** @throws ValidationFailed for anything but a cursor of this lead's timeline */
export function decodeCursor(leadId: LeadId, cursor: string): TimelinePosition {
  const parts = parsed(cursor);
  if (Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === 'string')) {
    const [fingerprint, time, type, id] = parts as [string, string, string, string];
    const at = parseInstant(time);
    if (
      fingerprint === fingerprintOf(leadId) &&
      at?.toISOString() === time &&
      TYPE.test(type) &&
      ID.test(id)
    ) {
      return { at, type, id };
    }
  }
  throw new ValidationFailed({ field: 'cursor', message: 'is not a cursor of this lead’s timeline' });
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
