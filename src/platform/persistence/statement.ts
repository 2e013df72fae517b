/** SQL with `$1`-style parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The best plan depends on the values so much that it is made for them each time, instead of once for any. */
  readonly plannedAnew?: boolean;
}
