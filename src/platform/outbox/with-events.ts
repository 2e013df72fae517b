import type { Cause } from '../../kernel/cause';
import { currentCause } from '../../kernel/current-cause';
import type { DomainEvent } from '../../kernel/domain-event';
import { toUuid } from '../../kernel/ids';
import type { Statement } from '../persistence/statement';

const COLUMNS = 9;

/**
 * Combines a change and its events into one statement, which is atomic without a transaction. The events get the cause of
 * the running code.
 *
 * @param change an INSERT, UPDATE or DELETE without a WITH clause
 */
export function withEvents(change: Statement, events: readonly DomainEvent[]): Statement {
  if (events.length === 0) return change;
  const cause = currentCause();
  return {
    text: appendingText(change, events.length),
    values: change.values.concat(...events.map((event) => toValues(event, cause))),
  };
}

/** Cached, since there are only a few distinct texts. */
const texts = new Map<string, string>();

function appendingText({ text, values }: Statement, count: number): string {
  const key = `${count} ${text}`;
  const known = texts.get(key);
  if (known) return known;
  const rows = Array.from({ length: count }, (_, row) => {
    const first = values.length + row * COLUMNS + 1;
    return `(${Array.from({ length: COLUMNS }, (_, column) => `$${first + column}`).join(', ')})`;
  });
  const joined = `WITH appended AS (INSERT INTO events
      (id, workspace_id, mode, type, occurred_at, data, previous, cause_type, cause_id)
    VALUES ${rows.join(', ')}) ${text}`;
  texts.set(key, joined);
  return joined;
}

function toValues({ id, workspace, type, timestamp, data, previous }: DomainEvent, cause: Cause): unknown[] {
  return [
    toUuid(id),
    toUuid(workspace.workspaceId),
    workspace.mode,
    type,
    timestamp,
    JSON.stringify(data),
    previous && JSON.stringify(previous),
    cause.type,
    cause.id,
  ];
}
