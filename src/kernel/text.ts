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

const ASCII = /^[\0-\x7f]*$/;

/**
 * The one form in which texts are compared, wherever they are matched: ignoring case, and how letters are composed (Unicode NFC).
 * The database's `fold_text` gives the same; results of `lower` alone differ, as for İ (U+0130).
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // JavaScript spells a sigma at the end of a word differently.
  return text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ');
}

/** Each text once, in the spelling and at the place in which it comes first. */
export function distinctTexts(texts: readonly string[]): string[] {
  const byFolded = new Map<string, string>();
  for (const text of texts) {
    const folded = foldText(text);
    if (!byFolded.has(folded)) byFolded.set(folded, text);
  }
  return [...byFolded.values()];
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * The first character that can't be seen, as `U+200B`: a space, a control character, a mark that changes the direction of
 * writing. With them two texts look the same and aren't.
 */
export function invisibleCharacter(text: string): string | undefined {
  const code = INVISIBLE.exec(text)?.[0].codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
