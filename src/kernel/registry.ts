/** Names that modules and extensions register, with their descriptions. */
export abstract class Registry {
  private readonly words = new Map<string, string>();

  /** @param kind the noun for an entry, for the error about duplicates */
  protected constructor(kind: string, tables: Record<string, string>[]) {
    for (const [name, description] of tables.flatMap((table) => Object.entries(table))) {
      if (this.words.has(name)) throw new Error(`The ${kind} ${name} is registered twice.`);
      this.words.set(name, description);
    }
  }

  has(name: string): boolean {
    return this.words.has(name);
  }

  names(): string[] {
    return [...this.words.keys()];
  }

  entries(): [name: string, description: string][] {
    return [...this.words];
  }
}
