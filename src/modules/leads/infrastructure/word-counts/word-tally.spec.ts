import fc from 'fast-check';
import { frequentWords, withinBounds } from './frequent-words';
import { type LeadText, MOST_LISTED, SHORT, WordTally } from './word-tally';

// Few characters, so that texts share words; one that UTF-16 spells with two units.
const text = fc.string({ unit: fc.constantFrom(...'ab@ \n', '😀'), maxLength: 12 });

/** Every part of the text without white space, worked out the plain way. */
function wordsIn(text: string): Set<string> {
  const words = new Set<string>();
  const characters = [...text];
  for (let start = 0; start < characters.length; start++) {
    for (let end = start + 1; end <= characters.length; end++)
      words.add(characters.slice(start, end).join(''));
  }
  return new Set([...words].filter((word) => !/\s/.test(word)));
}

const tallyOf = (words: string[]) => new WordTally(words.map((word) => ({ word, archived: false })));

const lengthOf = (word: string) => [...word].length;

describe('frequentWords', () => {
  test('finds exactly the words that enough texts hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        async (texts, least) => {
          const held = texts.map(wordsIn);
          const all = new Set(held.flatMap((words) => [...words]));
          const expected = [...all].filter(
            (word) => lengthOf(word) >= 3 && held.filter((words) => words.has(word)).length >= least,
          );
          const found = await frequentWords(texts, { characters: 3, texts: least });
          expect(found.toSorted()).toEqual(expected.toSorted());
        },
      ),
    );
  });

  test('leaves out what is very long, and the longer ones of very many', async () => {
    const long = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    const lengths = (await frequentWords([long], { characters: 3, texts: 1 })).map(lengthOf);
    expect(Math.max(...lengths)).toBe(32);
    const texts = Array.from({ length: 200 }, (_, index) => `${long}${index}`.repeat(3));
    const most = await frequentWords(texts, { characters: 1, texts: 1 });
    expect(most).toHaveLength(10_000);
    expect(most.map(lengthOf)).toEqual(most.map(lengthOf).toSorted((one, other) => one - other));
  });
});

test('a sample of long texts is a smaller one', () => {
  const short = Array.from({ length: 5000 }, () => 'ana garcía ana.garcia@example.com +34600123456');
  expect(withinBounds(short)).toBe(short);
  expect(withinBounds(Array.from({ length: 5000 }, () => 'a'.repeat(2700)))).toHaveLength(79);
});

describe('WordTally', () => {
  const lead: fc.Arbitrary<LeadText> = fc.record({
    lead_id: fc.uuid(),
    archived: fc.boolean(),
    search_text: text,
    difference: fc.constantFrom(1, -1),
  });

  test('adds up, for each short word and those it is made with, how many leads hold it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(lead, { maxLength: 30 }), fc.integer(), async (leads, drawn) => {
        const texts = leads.map(({ search_text }) => search_text);
        const frequent = await frequentWords(texts, { characters: SHORT + 1, texts: 2 });
        // A word may be counted whose beginning isn't.
        const longer = frequent.filter((_, index) => (drawn >> index) % 2 === 0);
        const tally = tallyOf(longer);
        await tally.addAll(leads);
        const counted = new Map(tally.list().map((count) => [`${count.archived} ${count.word}`, count]));
        const words = new Set([...frequent, ...leads.flatMap((each) => [...wordsIn(each.search_text)])]);
        for (const word of words) {
          for (const archived of [true, false]) {
            const holding = leads.filter(
              (each) => each.archived === archived && wordsIn(each.search_text).has(word),
            );
            const isCounted = lengthOf(word) <= SHORT || longer.includes(word);
            const sum = holding.reduce((total, { difference }) => total + difference, 0);
            const came = holding.filter(({ difference }) => difference > 0).map(({ lead_id }) => lead_id);
            const count = counted.get(`${archived} ${word}`);
            if (!isCounted) expect(count).toBeUndefined();
            else expect(count?.leads ?? 0).toBe(sum);
            if (lengthOf(word) <= SHORT) expect(count?.lead_ids ?? []).toEqual(came);
            else expect(count?.lead_ids ?? null).toBeNull();
          }
        }
      }),
    );
  });

  test('tells no short words when there are too many of them', () => {
    const tally = tallyOf(['abc']);
    const add = (search_text: string) =>
      tally.add({ lead_id: '1', archived: false, search_text, difference: 1 });
    add('abcd');
    const pairOf = (index: number) =>
      String.fromCodePoint(0x4e00 + (index % 1000), 0x5e00 + Math.floor(index / 1000));
    for (let index = 0; index < 49_900; index++) add(pairOf(index));
    expect(tally.hasShortWords).toBe(false);
    add('abx');
    expect(tally.list().map(({ word, leads }) => [word, leads])).toEqual([['abc', 1]]);
  });

  test('lists no more leads of a word than are worth looking at, and keeps longer words that enough hold', () => {
    const tally = tallyOf(['abc', 'abcd']);
    const add = (search_text: string, times: number, archived = false) => {
      for (let n = 0; n < times; n++) tally.add({ lead_id: `${n}`, archived, search_text, difference: 1 });
    };
    add('abc', MOST_LISTED);
    const listed = () => tally.list().find(({ word }) => word === 'ab')!.lead_ids;
    expect(listed()).toHaveLength(MOST_LISTED);
    add('abcd', 1);
    expect(listed()).toBeNull();
    add('abcd', 2, true);
    const longer = (atLeast: number) =>
      tally
        .list(atLeast)
        .flatMap(({ word, archived, leads }) => (word.length > 2 ? [[word, archived, leads]] : []));
    expect(longer(3)).toEqual([
      ['abc', false, 1001],
      ['abc', true, 2],
      ['abcd', false, 1],
      ['abcd', true, 2],
    ]);
    expect(longer(4)).toEqual([
      ['abc', false, 1001],
      ['abc', true, 2],
    ]);
  });

  test('lists no leads of words that are unlisted already, and does not tell those that did not change', () => {
    const tally = new WordTally([
      { word: 'ab', archived: false },
      { word: 'xy', archived: true },
    ]);
    tally.add({ lead_id: '1', archived: false, search_text: 'ab', difference: 1 });
    tally.add({ lead_id: '2', archived: true, search_text: 'ab', difference: 1 });
    expect(tally.list().filter(({ word }) => word.length === 2)).toEqual([
      { word: 'ab', archived: false, leads: 1, lead_ids: null },
      { word: 'ab', archived: true, leads: 1, lead_ids: ['2'] },
    ]);
  });
});
