/** What one module registers. */
export interface Registration<Entry> {
  /** The name of the module. */
  readonly by: string;
  readonly entries: Readonly<Record<string, Entry>>;
}

/** What is registered, and how it is named. */
export interface Kind {
  readonly noun: string;
  readonly names: RegExp;
  /** The rule of the names, to continue "must be". */
  readonly rule: string;
}

/** Names that modules and extensions register, with their descriptions. */
export abstract class Registry {
  private readonly words = new Map<string, { description: string; by: string }>();

  protected constructor({ noun, names, rule }: Kind, registrations: readonly Registration<string>[]) {
    for (const { by, entries } of registrations) {
      for (const [name, description] of Object.entries(entries)) {
        if (!names.test(name))
          throw new Error(`${by} registers the ${noun} ${JSON.stringify(name)}, which must be ${rule}.`);
        const earlier = this.words.get(name);
        if (earlier) {
          throw new Error(
            `The ${noun} ${name} is registered twice: by ${earlier.by} and by ${by}. Rename one of them.`,
          );
        }
        this.words.set(name, { description, by });
      }
    }
  }

  has(name: string): boolean {
    return this.words.has(name);
  }

  names(): string[] {
    return [...this.words.keys()];
  }

  entries(): [name: string, description: string][] {
    return [...this.words].map(([name, { description }]) => [name, description]);
  }

  /** The module that registered the name. */
  registrantOf(name: string): string | undefined {
    return this.words.get(name)?.by;
  }
}
