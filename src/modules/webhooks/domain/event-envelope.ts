import type { EventId, WorkspaceId } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';

export interface StoredEvent {
  readonly id: EventId;
  readonly type: string;
  readonly occurredAt: Date;
  readonly workspaceId: WorkspaceId;
  readonly mode: Mode;
  /** The JSON text that was stored with the change. */
  readonly data: string;
  readonly previous: string | null;
}

/** The same event without the values of fields that its reader doesn't see. */
export function hidingFields(event: StoredEvent, fields: readonly string[]): StoredEvent {
  if (fields.length === 0) return event;
  const hide = (text: string) => JSON.stringify(withNulls(JSON.parse(text) as object, fields));
  return { ...event, data: hide(event.data), previous: event.previous && hide(event.previous) };
}

/** Fields that aren't there stay away. */
export function withNulls(object: object, fields: readonly string[]): object {
  const hidden = fields.filter((field) => field in object).map((field) => [field, null] as const);
  return { ...object, ...Object.fromEntries(hidden) };
}

/** What receivers get: always the same text for one event, since it is signed and sent again after failures. */
export function envelopeText({
  id,
  type,
  occurredAt,
  workspaceId,
  mode,
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
  });
  const changes = previous === null ? '' : `,"previous":${previous}`;
  return `${head.slice(0, -1)},"data":${data}${changes}}`;
}
