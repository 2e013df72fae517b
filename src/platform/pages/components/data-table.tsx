import type { ComponentChildren } from 'preact';
import { Link, type Path } from './link';

/** Sorts the table by a column. */
export interface SortLink {
  to: Path;
  /** If the table is sorted by the column now. */
  direction?: 'ascending' | 'descending';
}

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
  sort?: SortLink;
}

interface DataTableProps<Row> {
  caption: string;
  /** Where a heading above the table says the same. */
  hideCaption?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Low rows, for lists that people work in. */
  dense?: boolean;
}

/** With more, a table needs a wide screen to be one. */
const MOST_COLUMNS = 5;

/** A table that becomes a list of cards on a phone. Its roles are spelled out, since browsers drop them with the layout. */
export function DataTable<Row>({ caption, hideCaption, columns, rows, dense }: DataTableProps<Row>) {
  const classes = ['table', columns.length > MOST_COLUMNS && 'wide', dense && 'dense'];
  return (
    <table role="table" class={classes.filter(Boolean).join(' ')}>
      <caption class={hideCaption ? 'visually-hidden' : undefined}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th role="columnheader" scope="col" class={classOf(column)} aria-sort={column.sort?.direction}>
              <Head column={column} />
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

function Head<Row>({ column: { title, actions, sort } }: { column: Column<Row> }) {
  if (actions) return <span class="visually-hidden">{title}</span>;
  return sort ? <Link to={sort.to}>{title}</Link> : <>{title}</>;
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
