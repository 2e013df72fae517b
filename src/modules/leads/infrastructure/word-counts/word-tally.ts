import { setImmediate as breathe } from 'node:timers/promises';

/** No index finds words of up to that many characters: all of them are counted. */
export const SHORT = 2;
/** Of a short word that fewer leads hold it is kept which do: looking at each costs less than looking for them. */
export const MOST_LISTED = 1000;
/** Scripts with thousands of letters have too many short words, or leads to list of them, to keep in memory. */
const MOST_SHORT = 50_000;
const MOST_IDS = 1_000_000;
const CHARACTERS_AT_ONCE = 3000;

/** A lead that is among those with that text or, when the difference is -1, was. */
export interface LeadText {
  lead_id: string;
  archived: boolean;
  search_text: string;
  difference: number;
}

export interface CountedWord {
  word: string;
  archived: boolean;
}

/** As in the table `lead_word_counts`. */
export interface WordCount extends CountedWord {
  leads: number;
  /** All leads that hold the word, and maybe some that did. Null if they are too many, or an index finds them. */
  lead_ids: string[] | null;
}

interface Word {
  readonly word: string;
  readonly longer: Map<string, Word>;
  readonly length: number;
  readonly open: WordCount;
  readonly archived: WordCount;
  /** Or only the beginning of words that are. */
  isCounted: boolean;
  /** The text it was met in last: each counts once. */
  lastText: number;
}

/** A search is taken apart at white space, so no word holds any. */
export function charactersOf(text: string): string[][] {
  return text.split(/\s+/).map((part) => [...part]);
}

/** Adds up how many leads hold each word that is counted: exactly the longer ones that it is made with, and all short ones. */
export class WordTally {
  private readonly root = wordOf('', 0);
  private readonly unlisted = new Set<WordCount>();
  private texts = 0;
  private shortWords = 0;
  private ids = 0;

  /** @param unlisted the longer words to count, and short ones of which it isn't kept anyhow which leads hold them */
  constructor(unlisted: Iterable<CountedWord>) {
    for (const { word, archived } of unlisted) {
      const place = this.placeOf(word);
      place.isCounted = true;
      const count = archived ? place.archived : place.open;
      count.lead_ids = null;
      this.unlisted.add(count);
    }
  }

  /** Whether all short words could be counted. If not, none of them is told. */
  get hasShortWords(): boolean {
    return this.shortWords <= MOST_SHORT && this.ids <= MOST_IDS;
  }

  /** Others get their turn meanwhile. */
  async addAll(texts: readonly LeadText[]): Promise<void> {
    let characters = 0;
    for (const text of texts) {
      characters += text.search_text.length;
      if (characters > CHARACTERS_AT_ONCE) {
        characters = 0;
        await breathe();
      }
      this.add(text);
    }
  }

  add(text: LeadText): void {
    this.texts++;
    for (const characters of charactersOf(text.search_text)) {
      for (let start = 0; start < characters.length; start++) this.addFrom(characters, start, text);
    }
  }

  /** Those of the longer words that at least so many leads hold, and all short ones. */
  list(atLeast = -Infinity): WordCount[] {
    const counts: WordCount[] = [];
    const visit = ({ longer, length, open, archived, isCounted }: Word) => {
      const isShort = length <= SHORT;
      const isKept = isShort ? this.hasShortWords : isCounted && open.leads + archived.leads >= atLeast;
      const isTold = (count: WordCount) =>
        count.leads !== 0 || (isShort && count.lead_ids?.length !== 0 && !this.unlisted.has(count));
      if (isKept) counts.push(...[open, archived].filter(isTold));
      for (const word of longer.values()) visit(word);
    };
    for (const word of this.root.longer.values()) visit(word);
    return counts;
  }

  private addFrom(characters: string[], start: number, { lead_id, archived, difference }: LeadText): void {
    let place = this.root;
    for (let end = start; end < characters.length; end++) {
      const character = characters[end]!;
      const isAdded = end - start < SHORT && this.hasShortWords;
      const longer = isAdded ? this.lengthened(place, character) : place.longer.get(character);
      if (!longer) return;
      place = longer;
      if (place.lastText === this.texts) continue;
      place.lastText = this.texts;
      const count = archived ? place.archived : place.open;
      count.leads += difference;
      if (!count.lead_ids || difference < 0 || !this.hasShortWords) continue;
      if (count.lead_ids.length < MOST_LISTED) {
        this.ids++;
        count.lead_ids.push(lead_id);
      } else {
        this.ids -= count.lead_ids.length;
        count.lead_ids = null;
      }
    }
  }

  private placeOf(word: string): Word {
    let place = this.root;
    for (const character of word) place = this.lengthened(place, character);
    return place;
  }

  private lengthened(beginning: Word, character: string): Word {
    let word = beginning.longer.get(character);
    if (!word) {
      word = wordOf(beginning.word + character, beginning.length + 1);
      beginning.longer.set(character, word);
      if (word.length <= SHORT) this.shortWords++;
    }
    return word;
  }
}

function wordOf(word: string, length: number): Word {
  const count = (archived: boolean): WordCount => ({
    word,
    archived,
    leads: 0,
    lead_ids: length <= SHORT ? [] : null,
  });
  return {
    word,
    length,
    longer: new Map(),
    open: count(false),
    archived: count(true),
    isCounted: length <= SHORT,
    lastText: 0,
  };
}
