/*
 * Separators between the digits of a number: spaces, dashes and dots of every script, and invisible marks of copied text.
 */
const BETWEEN =
  '\\p{Zs}\\p{Pd}\\u2212.\\u00b7\\u2024\\u2027\\uff0e\\u00ad\\p{Bidi_Control}\\u200b-\\u200d\\u2060\\ufeff';
const [OPENING, CLOSING] = ['(\\uff08', ')\\uff09'];
const SEPARATORS = new RegExp(`[${BETWEEN}${OPENING}${CLOSING}]`, 'gu');
const TRUNK_PREFIX = new RegExp(`[${OPENING}][${BETWEEN}]*0[${BETWEEN}]*[${CLOSING}]`, 'u');
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;

const ANYTHING = '[^A-Za-z0-9+]*';
const IN_PARENTHESES = `[${OPENING}][^0-9${OPENING}${CLOSING}]*0[^0-9${OPENING}${CLOSING}]*[${CLOSING}]`;

/** The pattern for JSON Schema, without the long list of separators. */
export const PHONE_PATTERN = `^(?!.*${IN_PARENTHESES})${ANYTHING}[+]${ANYTHING}[1-9](${ANYTHING}[0-9]){6,14}${ANYTHING}$`;

/** The reason why a text isn't an international number; undefined if it is. */
export function phoneProblem(text: string): string | undefined {
  if (TRUNK_PREFIX.test(text)) {
    return 'must not hold "(0)": write the number as it is dialled from abroad, such as +44 7911 123456';
  }
  return INTERNATIONAL.test(withoutSeparators(text))
    ? undefined
    : 'must be an international number such as +34 600 123 456: a plus sign and 7 to 15 digits';
}

/**
 * The number without separators, or undefined if it isn't an international number. Only the shape is checked, because tables
 * of numbering plans lag behind the numbers in use.
 */
export function normalisePhone(text: string): string | undefined {
  return phoneProblem(text) === undefined ? withoutSeparators(text) : undefined;
}

function withoutSeparators(text: string): string {
  return text.replace(SEPARATORS, '');
}
