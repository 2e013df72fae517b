/** Why a text can't be stored unchanged, if it can't: PostgreSQL has no NUL, UTF-8 no unpaired surrogates. */
export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  if (!text.isWellFormed()) return 'must not contain unpaired surrogates';
  return undefined;
}

/** The length in Unicode code points, not in UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * The normal form in which texts are compared everywhere: NFC, without case. The database's `fold_text` gives the same
 * result; its `lower` alone doesn't, for example for İ (U+0130).
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // JavaScript alone has a final form of sigma.
  return text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ');
}

/** Drops texts that are equal to an earlier one in the form of `foldText`. */
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
 * The first invisible character, written like `U+200B`: a space, a control character or a bidi mark. With one of these, two
 * different texts can look the same.
 */
export function invisibleCharacter(text: string): string | undefined {
  const code = INVISIBLE.exec(text)?.[0].codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
