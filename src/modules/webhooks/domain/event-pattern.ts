/** The types that match a pattern: `lead.created`, `lead.*` or `*`. */
export function typesOf(pattern: string, types: readonly string[]): readonly string[] {
  if (pattern === '*') return types;
  if (!pattern.endsWith('.*')) return types.filter((type) => type === pattern);
  const object = pattern.slice(0, -1);
  return types.filter((type) => type.startsWith(object));
}

export const MAX_PATTERNS = 100;

/** @param types all that are known */
export function patternProblem(patterns: readonly string[], types: readonly string[]): string | undefined {
  const countProblem = patternCountProblem(patterns);
  if (countProblem) return countProblem;
  const unknown = patterns.find((pattern) => pattern !== '*' && typesOf(pattern, types).length === 0);
  return unknown === undefined
    ? undefined
    : `there is no event type ${JSON.stringify(unknown)}: /docs/guides/webhooks lists them`;
}

export function patternCountProblem({ length }: readonly string[]): string | undefined {
  if (length === 0) return 'must hold at least one event type, such as lead.created, lead.* or *';
  return length > MAX_PATTERNS ? `must hold at most ${MAX_PATTERNS} items` : undefined;
}
