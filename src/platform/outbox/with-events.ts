import type { Cause } from '../../kernel/cause';
import { currentCause } from '../../kernel/current-cause';
import type { DomainEvent } from '../../kernel/domain-event';
import { toUuid } from '../../kernel/ids';
import type { Statement } from '../persistence/statement';

const NAMES = [
  'id',
  'workspace_id',
  'mode',
  'type',
  'occurred_at',
  'data',
  'previous',
  'cause_type',
  'cause_id',
];
const COLUMNS = NAMES.length;

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
      (${NAMES.join(', ')})
    VALUES ${rows.join(', ')})`,
        ]
      : []),
    ...(record ? [`recorded AS (${after(before, record.text)})`] : []),
  ];
  const joined = `WITH ${parts.join(', ')} ${text}`;
  texts.set(key, joined);
  return joined;
}

/**
 * Combines many changes, such as those of `insertAll`, and their events into one statement. Its text depends on neither
 * number.
 */
export function withAllEvents(changes: readonly Statement[], events: readonly DomainEvent[]): Statement {
  const cause = currentCause();
  const rows = events.map((event) => {
    const { id, workspace, type, timestamp, data, previous } = event;
    const values = [
      toUuid(id),
      toUuid(workspace.workspaceId),
      workspace.mode,
      type,
      timestamp,
      data,
      previous,
      cause.type,
      cause.id,
    ];
    return Object.fromEntries(NAMES.map((name, index) => [name, values[index]]));
  });
  const appended: Statement = {
    text: `INSERT INTO events (${NAMES.join(', ')}) SELECT ${NAMES.join(', ')} FROM json_populate_recordset(NULL::events, $1::json)`,
    values: [JSON.stringify(rows)],
  };
  const values: unknown[] = [];
  const parts = [...(rows.length ? [appended] : []), ...changes].map((part, index) => {
    const text = `part_${index} AS (${after(values.length, part.text)})`;
    values.push(...part.values);
    return text;
  });
  return { text: `WITH ${parts.join(', ')} SELECT`, values };
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
