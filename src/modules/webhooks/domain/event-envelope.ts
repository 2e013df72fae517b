import type { Cause } from '../../../kernel/cause';
import type { EventId, WorkspaceId } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';

export interface StoredEvent {
  readonly id: EventId;
  readonly type: string;
  readonly occurredAt: Date;
  readonly workspaceId: WorkspaceId;
  readonly mode: Mode;
  readonly cause: Cause;
  /** JSON text, as stored with the change. */
  readonly data: string;
  readonly previous: string | null;
}

/** The event with null in the fields that are hidden from its reader. */
export function hidingFields(event: StoredEvent, fields: readonly string[]): StoredEvent {
  if (fields.length === 0) return event;
  const hide = (text: string) => JSON.stringify(withNulls(JSON.parse(text) as object, fields));
  return { ...event, data: hide(event.data), previous: event.previous && hide(event.previous) };
}

/** The same for an event whose data is parsed. */
export function hidingParsed<Event extends { data: object; previous?: object }>(
  event: Event,
  fields: readonly string[],
): Event {
  if (fields.length === 0) return event;
  const { data, previous } = event;
  return {
    ...event,
    data: withNulls(data, fields),
    ...(previous && { previous: withNulls(previous, fields) }),
  };
}

/** Sets fields to null, but adds none. */
function withNulls(object: object, fields: readonly string[]): object {
  const hidden = fields.filter((field) => field in object).map((field) => [field, null] as const);
  return { ...object, ...Object.fromEntries(hidden) };
}

/** The body that receivers get. An event always has the same one, so that retries send the same signed bytes. */
export function envelopeText({
  id,
  type,
  occurredAt,
  workspaceId,
  mode,
  cause,
  data,
  previous,
}: StoredEvent): string {
  const head = JSON.stringify({
    id,
    type,
    timestamp: occurredAt.toISOString(),
    mode,
    workspaceId,
    apiVersion: 'v1',
    cause,
  });
  const changes = previous === null ? '' : `,"previous":${previous}`;
  return `${head.slice(0, -1)},"data":${data}${changes}}`;
}
