/** Whether `pattern` names events that there are: one, all of an object, or all. */
export function isEventPattern(pattern: string, types: readonly string[]): boolean {
  if (pattern === '*') return true;
  if (!pattern.endsWith('.*')) return types.includes(pattern);
  const object = pattern.slice(0, -1);
  return types.some((type) => type.startsWith(object));
}

export const MAX_PATTERNS = 100;

export function patternCountProblem({ length }: readonly string[]): string | undefined {
  if (length === 0) return 'must hold at least one event type, such as lead.created, lead.* or *';
  return length > MAX_PATTERNS ? `must hold at most ${MAX_PATTERNS} items` : undefined;
}
