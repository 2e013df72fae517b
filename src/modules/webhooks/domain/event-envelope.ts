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
