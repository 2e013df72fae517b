/**
 * Writes items together: those that are added while a write is in progress share the next one. Under load a write for
 * each item would wait for all the others.
 */
export class BatchedWrites<Item> {
  private next?: { readonly items: Item[]; readonly written: Promise<void> };
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly write: (items: readonly Item[]) => Promise<void>) {}

  /** Resolves when the item is written, and rejects when its write does. */
  add(item: Item): Promise<void> {
    this.next ??= this.begin();
    this.next.items.push(item);
    return this.next.written;
  }

  private begin(): { items: Item[]; written: Promise<void> } {
    const items: Item[] = [];
    const written = this.last.then(() => {
      this.next = undefined;
      return this.write(items);
    });
    this.last = written.catch(() => undefined);
    return { items, written };
  }
}
