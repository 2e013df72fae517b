import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Forbidden } from '../../../kernel/errors';
import { EventTypes, type ReaderScopes } from '../../../kernel/event-types';
import { hidingParsed } from '../domain/event-envelope';
import { patternProblem, typesOf } from '../domain/event-pattern';

/** Fails closed: a credential with unknown scopes has none. */
export function scopesOf({ type, scopes = [] }: Pick<Actor, 'type' | 'scopes'>): ReaderScopes {
  return type === 'user' || type === 'operator' ? null : scopes;
}

/** Decides which events a reader may read: credentials by their scopes, people all. */
@Injectable()
export class EventAccess {
  constructor(private readonly eventTypes: EventTypes) {}

  /** The types that each of these readers may read; undefined means all, even those of removed modules. */
  readableTypes(...readers: ReaderScopes[]): readonly string[] | undefined {
    const limited = readers.filter((scopes) => scopes !== null);
    if (limited.length === 0) return undefined;
    return this.eventTypes.readableBy(
      this.eventTypes.scopeNames().filter((scope) => limited.every((scopes) => scopes.includes(scope))),
    );
  }

  isType(type: string): boolean {
    return this.eventTypes.names().includes(type);
  }

  hiddenFields(type: string, scopes: ReaderScopes): readonly string[] {
    return this.eventTypes.hiddenFields(type, scopes);
  }

  /** The event with null in the fields that are hidden from its reader. */
  asSeen<Event extends { type: string; data: object; previous?: object }>(
    event: Event,
    scopes: ReaderScopes,
  ): Event {
    return hidingParsed(event, this.hiddenFields(event.type, scopes));
  }

  patternProblem(patterns: readonly string[]): string | undefined {
    return patternProblem(patterns, this.eventTypes.names());
  }

  /** The types that match any of the patterns, and that the reader may read. */
  typesOf(patterns: readonly string[], scopes: ReaderScopes): readonly string[] {
    const readable = this.readableTypes(scopes) ?? this.eventTypes.names();
    return [...new Set(patterns.flatMap((pattern) => typesOf(pattern, readable)))];
  }

  /** @throws Forbidden for a pattern that matches event types, but none that the reader may read */
  refuseUnreadable(patterns: readonly string[], scopes: ReaderScopes): void {
    const readable = this.readableTypes(scopes);
    if (!readable) return;
    for (const pattern of patterns) {
      const types = typesOf(pattern, this.eventTypes.names());
      if (types.length > 0 && !types.some((type) => readable.includes(type))) {
        this.refuse(pattern, this.eventTypes.readScopeOf(types[0]!));
      }
    }
  }

  /** @throws Forbidden unless the reader may read every event and field that an endpoint with these patterns and scopes receives */
  refuseBeyond(patterns: readonly string[], endpointScopes: ReaderScopes, scopes: ReaderScopes): void {
    if (!scopes) return;
    const sent = this.readableTypes(endpointScopes) ?? this.eventTypes.names();
    for (const type of patterns.flatMap((pattern) => typesOf(pattern, sent))) {
      const missing = this.eventTypes
        .scopesOf(type)
        .find((scope) => !scopes.includes(scope) && (endpointScopes?.includes(scope) ?? true));
      if (missing) this.refuse(type, missing);
    }
  }

  private refuse(events: string, scope: string): never {
    throw new Forbidden(
      `The scope ${scope} is required for ${events} events; the credential does not have it.`,
      scope,
    );
  }
}
