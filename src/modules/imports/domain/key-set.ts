const FIRST_CAPACITY = 2 ** 14;
const EMPTY = 0;

/**
 * Remembers texts by hashes of 53 bits: 16 bytes for each of a million. Two texts are taken for the same with a
 * probability of 1 to 10,000 among a million.
 */
export class KeySet {
  private slots = new Float64Array(FIRST_CAPACITY);
  private size = 0;
  /** Nobody can choose texts whose hashes fall together, which would take ever longer to place. */
  private readonly seed = Math.floor(Math.random() * 2 ** 32);

  /** Returns whether the text is new. */
  add(text: string): boolean {
    if (2 * this.size >= this.slots.length) this.grow();
    const isNew = place(this.slots, hash(text, this.seed));
    if (isNew) this.size++;
    return isNew;
  }

  has(text: string): boolean {
    const key = hash(text, this.seed);
    return this.slots[placeOf(this.slots, key)] === key;
  }

  private grow(): void {
    const larger = new Float64Array(2 * this.slots.length);
    for (const slot of this.slots) if (slot !== EMPTY) place(larger, slot);
    this.slots = larger;
  }
}

/** Where the key is, or would be. */
function placeOf(slots: Float64Array, key: number): number {
  const last = slots.length - 1;
  let index = key % slots.length;
  while (slots[index] !== key && slots[index] !== EMPTY) index = (index + 1) & last;
  return index;
}

function place(slots: Float64Array, key: number): boolean {
  const index = placeOf(slots, key);
  const isNew = slots[index] === EMPTY;
  slots[index] = key;
  return isNew;
}

/** cyrb53, by bryc (public domain). Never 0. */
function hash(text: string, seed: number): number {
  let one = 0xdeadbeef ^ seed;
  let other = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & other) + (one >>> 0) || 1;
}
