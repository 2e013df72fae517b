import type { DomainEvent } from '../../kernel/domain-event';
import { toUuid } from '../../kernel/ids';
import type { Statement } from '../persistence/statement';

const COLUMNS = 7;

/**
 * Joins a change with the events that tell of it: one statement, so that both are there or neither, without a
 * transaction of its own. `change` is an INSERT or UPDATE without a WITH clause.
 */
export function withEvents(change: Statement, events: readonly DomainEvent[]): Statement {
  if (events.length === 0) return change;
  const first = change.values.length;
  const rows = events.map((_, row) => {
    const places = Array.from({ length: COLUMNS }, (_, column) => `$${first + row * COLUMNS + column + 1}`);
    return `(${places.join(', ')})`;
  });
  return {
    text: `WITH appended AS (INSERT INTO events (id, workspace_id, mode, type, occurred_at, data, previous)
      VALUES ${rows.join(', ')}) ${change.text}`,
    values: [...change.values, ...events.flatMap(toValues)],
  };
}

function toValues({ id, workspace, type, timestamp, data, previous }: DomainEvent): unknown[] {
  return [
    toUuid(id),
    toUuid(workspace.workspaceId),
    workspace.mode,
    type,
    timestamp,
    JSON.stringify(data),
    previous && JSON.stringify(previous),
  ];
}
