/** The scopes that a credential may carry, with what each allows in plain words. Extensions add their own. */
export class ScopeRegistry {
  private readonly descriptions = new Map<string, string>();

  constructor(...tables: Record<string, string>[]) {
    for (const [scope, description] of tables.flatMap((table) => Object.entries(table))) {
      if (this.descriptions.has(scope)) throw new Error(`The scope ${scope} is registered twice.`);
      this.descriptions.set(scope, description);
    }
  }

  has(scope: string): boolean {
    return this.descriptions.has(scope);
  }

  entries(): [scope: string, description: string][] {
    return [...this.descriptions];
  }
}
