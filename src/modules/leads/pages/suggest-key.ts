/**
 * A key like the name that isn't taken yet.
 *
 * @param fallback for a name that has no letters of a key
 */
export function suggestKey(name: string, taken: readonly string[], fallback: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 36);
  const base = words || fallback;
  const known = new Set(taken);
  const numbered = Array.from({ length: taken.length }, (_, index) => `${base}_${index + 2}`);
  return [base, ...numbered].find((key) => !known.has(key))!;
}
