import { setImmediate as breathe } from 'node:timers/promises';
import { charactersOf } from './word-tally';

const LONGEST = 32;
const MOST_WORDS = 10_000;
const MOST_CHARACTERS = 300_000;
const CHARACTERS_AT_ONCE = 10_000;

interface Candidate {
  readonly word: string;
  longer?: Map<string, Candidate>;
  texts: number;
  /** The text it was met in last: each counts once. */
  lastText: number;
}

/** A run of characters without white space, and for each of them the candidate that begins there. */
interface Part {
  readonly characters: readonly string[];
  readonly begun: (Candidate | undefined)[];
  readonly text: number;
}

const candidate = (word: string): Candidate => ({ word, texts: 0, lastText: 0 });

/**
 * The words of at least so many characters that occur, anywhere, in at least so many of the texts: none of more than 32
 * characters, and of more than 10,000 the shorter ones. With each word its beginnings are among them, down to the fewest
 * characters. What few texts hold a part of, few hold: each round only joins what the one before found frequent. Others get
 * their turn meanwhile.
 */
export async function frequentWords(
  texts: readonly string[],
  { characters: fewest, texts: atLeast }: { characters: number; texts: number },
): Promise<string[]> {
  const root = candidate('');
  root.texts = Infinity;
  const parts = texts.flatMap((text, index) =>
    charactersOf(text).map((characters): Part => {
      return { characters, begun: characters.map(() => root), text: index + 1 };
    }),
  );
  const words: string[] = [];
  for (let length = 1; length <= LONGEST && words.length < MOST_WORDS; length++) {
    const candidates: Candidate[] = [];
    let characters = 0;
    for (const part of parts) {
      characters += part.characters.length;
      if (characters > CHARACTERS_AT_ONCE) {
        characters = 0;
        await breathe();
      }
      lengthen(part, length, atLeast, candidates);
    }
    const frequent = candidates.filter(({ texts }) => texts >= atLeast);
    if (frequent.length === 0) break;
    if (length >= fewest) words.push(...frequent.map(({ word }) => word));
  }
  return words.slice(0, MOST_WORDS);
}

/** Fewer of very long texts, so that they take no more time and memory than others. */
export function withinBounds(texts: readonly string[]): readonly string[] {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return characters > MOST_CHARACTERS && texts.length > 1
    ? withinBounds(texts.filter((_, index) => index % 2 === 0))
    : texts;
}

/** Counts words of that length both of whose parts, without the last and without the first character, are frequent. */
function lengthen(
  { characters, begun, text }: Part,
  length: number,
  atLeast: number,
  found: Candidate[],
): void {
  for (let start = 0; start < characters.length; start++) {
    const beginning = begun[start];
    const end = begun[start + 1];
    const isFrequent =
      beginning && beginning.texts >= atLeast && (length === 1 || (end && end.texts >= atLeast));
    begun[start] = undefined;
    const character = characters[start + length - 1];
    if (!isFrequent || character === undefined) continue;
    beginning.longer ??= new Map();
    let word = beginning.longer.get(character);
    if (!word) {
      word = candidate(beginning.word + character);
      beginning.longer.set(character, word);
      found.push(word);
    }
    if (word.lastText !== text) word.texts++;
    word.lastText = text;
    begun[start] = word;
  }
}
