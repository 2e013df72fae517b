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
 * @param record a further INSERT into another table, such as a history, in the same statement
 */
export function withEvents(change: Statement, events: readonly DomainEvent[], record?: Statement): Statement {
  if (events.length === 0 && !record) return change;
  const cause = currentCause();
  return {
    text: appendingText(change, events.length, record),
    values: change.values.concat(...events.map((event) => toValues(event, cause)), record?.values ?? []),
  };
}

/** Cached, since there are only a few distinct texts. */
const texts = new Map<string, string>();

function appendingText({ text, values }: Statement, count: number, record?: Statement): string {
  const key = `${count} ${text} ${record?.text ?? ''}`;
  const known = texts.get(key);
  if (known) return known;
  const rows = Array.from({ length: count }, (_, row) => {
    const first = values.length + row * COLUMNS + 1;
    return `(${Array.from({ length: COLUMNS }, (_, column) => `$${first + column}`).join(', ')})`;
  });
  const before = values.length + count * COLUMNS;
  const parts = [
    ...(count > 0
      ? [
          `appended AS (INSERT INTO events
      (id, workspace_id, mode, type, occurred_at, data, previous, cause_type, cause_id)
    VALUES ${rows.join(', ')})`,
        ]
      : []),
    ...(record ? [`recorded AS (${after(before, record.text)})`] : []),
  ];
  const joined = `WITH ${parts.join(', ')} ${text}`;
  texts.set(key, joined);
  return joined;
}

/** The text with its parameters renumbered to follow as many others. */
function after(count: number, text: string): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => `$${count + Number(number)}`);
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
