import { InvalidArgumentError } from 'commander';
import { parseId, type ApiKeyId, type AppId, type CalendarEventId, type WorkspaceId } from '../kernel/ids';
import { parseInstant } from '../kernel/time';
import { codePoints, textProblem } from '../kernel/text';
import { email } from '../platform/http/field-rules';

export function workspaceId(text: string): WorkspaceId {
  const id = parseId('ws', text);
  if (!id)
    throw new InvalidArgumentError(
      'It must be an id such as ws_01h455vb4pex5vsknk084sn02q; `npx gala workspace list` shows them.',
    );
  return id;
}

export function apiKeyId(text: string): ApiKeyId {
  const id = parseId('key', text);
  if (!id)
    throw new InvalidArgumentError(
      'It must be an id such as key_01h455vb4pex5vsknk084sn02q; `npx gala api-key list` shows them.',
    );
  return id;
}

export function appId(text: string): AppId {
  const id = parseId('app', text);
  if (!id)
    throw new InvalidArgumentError(
      'It must be an id such as app_01h455vb4pex5vsknk084sn02q; `npx gala oauth-app list` shows them.',
    );
  return id;
}

/** `previous` holds the ids of earlier arguments. */
export function calendarEventIds(text: string, previous: CalendarEventId[] = []): CalendarEventId[] {
  const id = parseId('cal', text);
  if (!id) throw new InvalidArgumentError('It must be an id such as cal_01h455vb4pex5vsknk084sn02q.');
  return [...previous, id];
}

export function emailAddress(text: string): string {
  const problem = email(text);
  if (problem) throw new InvalidArgumentError(`It ${problem}.`);
  return text;
}

export function name(text: string): string {
  if (text.trim() === '' || codePoints(text) > 100 || textProblem(text)) {
    throw new InvalidArgumentError('It must have 1 to 100 characters.');
  }
  return text;
}

/** Parses comma-separated scopes. `previous` holds those of earlier occurrences of the option. */
export function scopeList(text: string, previous: string[] = []): string[] {
  const scopes = text
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean);
  return [...previous, ...scopes];
}

export function futureInstant(text: string): Date {
  const instant = parseInstant(text);
  if (!instant) throw new InvalidArgumentError('It must be an RFC 3339 time such as 2030-01-01T00:00:00Z.');
  return instant;
}
