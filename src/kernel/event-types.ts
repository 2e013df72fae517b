import { type Registration, Registry } from './registry';

/** The class of an API response. */
export type ResponseClass = abstract new (...parameters: never[]) => object;

export interface EventType {
  /** When such an event happens, for people. */
  readonly description: string;
  /** The scope that a credential needs to read events of this type. */
  readonly readScope: string;
  /** Fields of `data` and `previous`, each with a further scope that it needs. Without it the field is null. */
  readonly guardedFields?: Readonly<Record<string, string>>;
  /** Describes `data` in the API reference and to generated clients. Without it `data` may be any object. */
  readonly data?: ResponseClass;
}

/**
 * Declares event types with the same read scope, given their descriptions.
 *
 * @param data the response class of the object that the events are about; guarded fields are nullable in it
 */
export function readableWith(
  readScope: string,
  descriptions: Readonly<Record<string, string>>,
  guardedFields?: EventType['guardedFields'],
  data?: EventType['data'],
): Record<string, EventType> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([type, description]) => [
      type,
      { description, readScope, ...(guardedFields && { guardedFields }), ...(data && { data }) },
    ]),
  );
}

/** The scopes of a credential; null for people, who may read everything in their workspace. */
export type ReaderScopes = readonly string[] | null;

/** All event types, named `<object>.<what happened>`, and the scopes that they need. */
export class EventTypes extends Registry {
  private readonly types: ReadonlyMap<string, EventType>;

  constructor(...registrations: Registration<EventType>[]) {
    const kind = {
      noun: 'event type',
      names: /^[a-z][a-z0-9]*(_[a-z0-9]+)*\.[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
      rule: '<object>.<what happened> in snake_case, such as calendar_event.created',
    };
    super(
      kind,
      registrations.map(({ by, entries }) => ({
        by,
        entries: Object.fromEntries(
          Object.entries(entries).map(([name, { description }]) => [name, description]),
        ),
      })),
    );
    this.types = new Map(registrations.flatMap(({ entries }) => Object.entries(entries)));
  }

  /** The scopes that any type or field needs. */
  scopeNames(): string[] {
    return [...new Set(this.names().flatMap((type) => this.scopesOf(type)))];
  }

  /** @throws TypeError for an unregistered type */
  readScopeOf(type: string): string {
    return this.types.get(type)!.readScope;
  }

  /** The read scope of a type, and the scopes of its guarded fields. */
  scopesOf(type: string): string[] {
    const { readScope, guardedFields = {} } = this.types.get(type)!;
    return [readScope, ...Object.values(guardedFields)];
  }

  /** The class of the `data` of such events, if it was declared. */
  dataOf(type: string): ResponseClass | undefined {
    return this.types.get(type)?.data;
  }

  readableBy(scopes: readonly string[]): string[] {
    return this.names().filter((type) => scopes.includes(this.readScopeOf(type)));
  }

  /** The fields of such an event that are null for the reader. */
  hiddenFields(type: string, scopes: ReaderScopes): string[] {
    if (!scopes) return [];
    return Object.entries(this.types.get(type)?.guardedFields ?? {})
      .filter(([, scope]) => !scopes.includes(scope))
      .map(([field]) => field);
  }
}
