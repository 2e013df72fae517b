import { setImmediate as breathe } from 'node:timers/promises';
import { charactersOf } from './word-tally';

const LONGEST = 32;
const MOST_WORDS = 10_000;
const TEXTS_AT_ONCE = 100;

interface Candidate {
  readonly word: string;
  readonly longer: Map<string, Candidate>;
  texts: number;
  /** The text it was met in last: each counts once. */
  lastText: number;
}

const candidate = (word: string): Candidate => ({ word, longer: new Map(), texts: 0, lastText: 0 });

/**
 * The words of at least so many characters that occur, anywhere, in at least so many of the texts: none of more than 32
 * characters, and of more than 10,000 the shorter ones. With each word its beginnings are among them, down to the fewest
 * characters. Few texts hold a long word that few hold the beginning of: so each round lengthens only what the one before found
 * frequent. Others get their turn meanwhile.
 */
export async function frequentWords(
  texts: readonly string[],
  { characters: fewest, texts: atLeast }: { characters: number; texts: number },
): Promise<string[]> {
  const parts = texts.map(charactersOf);
  const root = candidate('');
  const words: string[] = [];
  let longest = [root];
  for (let length = 1; length <= LONGEST && longest.length > 0 && words.length < MOST_WORDS; length++) {
    for (const [number, text] of parts.entries()) {
      if (number % TEXTS_AT_ONCE === 0) await breathe();
      for (const part of text) lengthen(root, length, part, number + 1);
    }
    longest = longest.flatMap(({ longer }) => {
      for (const [character, { texts }] of longer) if (texts < atLeast) longer.delete(character);
      return [...longer.values()];
    });
    if (length >= fewest) words.push(...longest.map(({ word }) => word));
  }
  return words.slice(0, MOST_WORDS);
}

/** Counts the words of that length whose beginnings are candidates still. */
function lengthen(root: Candidate, length: number, characters: string[], text: number): void {
  for (let end = length; end <= characters.length; end++) {
    let beginning: Candidate | undefined = root;
    for (let index = end - length; beginning && index < end - 1; index++) {
      beginning = beginning.longer.get(characters[index]!);
    }
    if (!beginning) continue;
    const character = characters[end - 1]!;
    let word = beginning.longer.get(character);
    if (!word) beginning.longer.set(character, (word = candidate(beginning.word + character)));
    if (word.lastText !== text) word.texts++;
    word.lastText = text;
  }
}
