import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** What names the row. */
  isHeader?: boolean;
  /** Numbers stand under each other. */
  numeric?: boolean;
  /** Sentences, which take the room that other columns leave. */
  long?: boolean;
  /** Buttons, which say themselves what they are: the title is for screen readers. */
  actions?: boolean;
}

interface DataTableProps<Row> {
  caption: string;
  /** Where a heading above the table says the same. */
  hideCaption?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** With more, a table needs a wide screen to be one. */
const MOST_COLUMNS = 5;

/** A table that becomes a list of cards on a phone. Its roles are spelled out, since browsers drop them with the layout. */
export function DataTable<Row>({ caption, hideCaption, columns, rows }: DataTableProps<Row>) {
  return (
    <table role="table" class={columns.length > MOST_COLUMNS ? 'table wide' : 'table'}>
      <caption class={hideCaption ? 'visually-hidden' : undefined}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th role="columnheader" scope="col" class={classOf(column)}>
              {column.actions ? <span class="visually-hidden">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row">
            {columns.map((column) => (
              <Cell column={column}>{column.cell(row)}</Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ComponentChildren }) {
  if (column.isHeader) {
    return (
      <th role="rowheader" scope="row" class={classOf(column)}>
        {children}
      </th>
    );
  }
  if (column.actions) {
    return (
      <td role="cell" class="row-actions">
        {children}
      </td>
    );
  }
  return (
    <td role="cell" class={classOf(column)} data-title={column.title}>
      <div>{children}</div>
    </td>
  );
}

function classOf<Row>({ numeric, long, actions }: Column<Row>): string | undefined {
  if (actions) return 'row-actions';
  if (long) return 'long';
  return numeric ? 'numeric' : undefined;
}
