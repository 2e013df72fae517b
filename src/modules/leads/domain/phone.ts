const SEPARATORS = /[ \-.()]/g;
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;

/**
 * The number without the separators people write, or undefined when that is no international number. Only the shape
 * is checked: tables of numbering plans lag behind the numbers that are in use.
 */
export function normalisePhone(text: string): string | undefined {
  const digits = text.replace(SEPARATORS, '');
  // "$" also matches before a final line feed in some dialects; not in this one, so no further check is needed.
  return INTERNATIONAL.test(digits) ? digits : undefined;
}
