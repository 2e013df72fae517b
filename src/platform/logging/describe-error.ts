/**
 * The fields of an error that may be logged. Messages of the database and its driver quote user input, so only their kind and
 * place are included.
 */
export function describeError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { error: typeof thrown };
  const { code, constraint, table, routine, query } = thrown as Error & Record<string, unknown>;
  const isDatabaseError = routine !== undefined || query !== undefined;
  return {
    error: thrown.name,
    ...(isDatabaseError ? { constraint, table, routine } : { message: thrown.message }),
    code,
    stack: thrown.stack?.slice(thrown.stack.indexOf('\n    at ') + 1),
    ...(thrown.cause instanceof Error && { cause: describeError(thrown.cause) }),
  };
}
