/** What makes a text unfit to be stored unchanged, or undefined: PostgreSQL can't hold NUL, UTF-8 no lone surrogate. */
export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  if (!text.isWellFormed()) return 'must not contain unpaired surrogates';
  return undefined;
}

/** Length as people count: in Unicode code points, not in UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The form in which texts are compared ignoring case. JavaScript spells a sigma at the end of a word differently. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
