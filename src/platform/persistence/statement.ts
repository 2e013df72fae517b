/** SQL with `$1`-style parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}
