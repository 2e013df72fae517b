/** SQL with `$1`-style parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Plans the statement for each set of values: the best plan depends on them. */
  readonly plannedAnew?: boolean;
}

/** A column that lists are sorted by. */
export interface SortColumn {
  readonly column: string;
  /** Its type in PostgreSQL, which cursor values are cast to. */
  readonly type: string;
  readonly nullable: boolean;
}
