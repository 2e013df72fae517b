/** Whether `pattern` names events that there are: one, all of an object, or all. */
export function isEventPattern(pattern: string, types: readonly string[]): boolean {
  if (pattern === '*') return true;
  if (!pattern.endsWith('.*')) return types.includes(pattern);
  const object = pattern.slice(0, -1);
  return types.some((type) => type.startsWith(object));
}
