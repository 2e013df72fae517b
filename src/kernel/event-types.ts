import { Registry } from './registry';

export interface EventType {
  /** When it happens, in plain words. */
  readonly description: string;
  /** The scope with which a credential may read events of this type. */
  readonly readScope: string;
  /** Fields of `data` and `previous` that need a further scope. Without it they are null. */
  readonly guardedFields?: Readonly<Record<string, string>>;
}

/** Declares event types that the same scope opens, each with when it happens, in plain words. */
export function readableWith(
  readScope: string,
  descriptions: Readonly<Record<string, string>>,
  guardedFields?: EventType['guardedFields'],
): Record<string, EventType> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([type, description]) => [
      type,
      { description, readScope, ...(guardedFields && { guardedFields }) },
    ]),
  );
}

/** The scopes of a credential; null for people, who see everything of their workspace. */
export type ReaderScopes = readonly string[] | null;

/** The types of events that there are, `<object>.<what happened>`, and the scopes that open them. */
export class EventTypes extends Registry {
  private readonly types: ReadonlyMap<string, EventType>;

  constructor(...tables: Record<string, EventType>[]) {
    const all = tables.map((table) => Object.entries(table));
    super(
      'event type',
      all.map((types) => Object.fromEntries(types.map(([name, { description }]) => [name, description]))),
    );
    this.types = new Map(all.flat());
  }

  /** Every scope that some type or field needs. */
  scopeNames(): string[] {
    return [...new Set(this.names().flatMap((type) => this.scopesOf(type)))];
  }

  /** Throws for a type that isn't registered. */
  readScopeOf(type: string): string {
    return this.types.get(type)!.readScope;
  }

  /** Every scope that opens something of this type: the one to read it, and those of its guarded fields. */
  scopesOf(type: string): string[] {
    const { readScope, guardedFields = {} } = this.types.get(type)!;
    return [readScope, ...Object.values(guardedFields)];
  }

  readableBy(scopes: readonly string[]): string[] {
    return this.names().filter((type) => scopes.includes(this.readScopeOf(type)));
  }

  /** The fields of an event of this type that the reader doesn't see. */
  hiddenFields(type: string, scopes: ReaderScopes): string[] {
    if (!scopes) return [];
    return Object.entries(this.types.get(type)?.guardedFields ?? {})
      .filter(([, scope]) => !scopes.includes(scope))
      .map(([field]) => field);
  }
}
