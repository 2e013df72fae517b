import { type DynamicModule, type InjectionToken, Module, type Provider, type Type } from '@nestjs/common';
import { EventTypes } from './kernel/event-types';
import { ScopeRegistry } from './kernel/scope-registry';
import { features } from './features';
import type { Feature } from './platform/feature';
import { interceptPosts } from './platform/http/intercept-posts';
import { LocationInterceptor } from './platform/http/location.interceptor';
import { UnknownPathController } from './platform/http/unknown-path.controller';
import { IdempotencyInterceptor } from './platform/idempotency/idempotency.interceptor';
import { type PlatformOptions, platformModules } from './platform/platform.module';

/** A port and its other implementation. */
export type Override = Exclude<Provider, Type> & { provide: InjectionToken };

/** What another team changes of Gala without touching it. */
export interface Composition {
  /** Modules of its own, which get the whole pipeline. */
  extensions?: Feature[];
  /** Its own implementations of our ports. */
  overrides?: Override[];
}

/** Takes what no other route takes, and so has to come after all of them. */
@Module({ controllers: [UnknownPathController] })
class UnknownPathModule {}

@Module({})
export class AppModule {
  static with(
    options: Omit<PlatformOptions, 'scopes' | 'eventTypes'>,
    { extensions = [], overrides = [] }: Composition,
  ): DynamicModule {
    const all = [...features, ...extensions];
    interceptPosts(
      all.map(({ module }) => module),
      IdempotencyInterceptor,
      LocationInterceptor,
    );
    const scopes = new ScopeRegistry(
      ...all.map(({ module, scopes: entries = {} }) => ({ by: module.name, entries })),
    );
    const eventTypes = new EventTypes(
      ...all.map(({ module, events: entries = {} }) => ({ by: module.name, entries })),
    );
    refuseUnknownScopes(eventTypes, scopes);
    refuseUndescribedEvents(eventTypes);
    const parts = [
      ...platformModules({ ...options, scopes, eventTypes }),
      ...all.map(({ module }) => ({ module, global: true })),
    ];
    return {
      module: AppModule,
      imports: [...withOverrides(parts, overrides), UnknownPathModule],
    };
  }
}

function refuseUnknownScopes(eventTypes: EventTypes, scopes: ScopeRegistry): void {
  for (const type of eventTypes.names()) {
    const unknown = eventTypes.scopesOf(type).find((scope) => !scopes.has(scope));
    if (unknown === undefined) continue;
    const registrant = eventTypes.registrantOf(type);
    throw new Error(
      `The event type ${type} of ${registrant} requires the scope ${unknown}, which is not registered.`,
    );
  }
}

/** Extensions may leave the schema of their events open, Gala's own modules may not. */
function refuseUndescribedEvents(eventTypes: EventTypes): void {
  for (const type of features.flatMap(({ events = {} }) => Object.keys(events))) {
    if (!eventTypes.dataOf(type)) {
      throw new Error(
        `The event type ${type} has no data class. Give readableWith the response class of its object.`,
      );
    }
  }
}

/** Puts each override into the part that provides its token: there it wins, and is what every other part gets. */
function withOverrides(parts: DynamicModule[], overrides: Override[]): DynamicModule[] {
  const tokensOf = ({ module, providers = [] }: DynamicModule) =>
    new Set(
      [...((Reflect.getMetadata('providers', module) as Provider[] | undefined) ?? []), ...providers].map(
        (provider) => (typeof provider === 'function' ? provider : (provider as Override).provide),
      ),
    );
  refuseTwoOverrides(overrides);
  for (const { provide } of overrides) {
    if (!parts.some((part) => tokensOf(part).has(provide))) {
      throw new Error(`Nothing to override: no part of Gala provides ${nameOf(provide)}.`);
    }
  }
  return parts.map((part) => {
    const tokens = tokensOf(part);
    return {
      ...part,
      providers: [...(part.providers ?? []), ...overrides.filter(({ provide }) => tokens.has(provide))],
    };
  });
}

function refuseTwoOverrides(overrides: Override[]): void {
  overrides.forEach(({ provide }, index) => {
    const first = overrides.findIndex((other) => other.provide === provide);
    if (first === index) return;
    const [one, other] = [first, index].map((at) => `overrides[${at}] (${implementationOf(overrides[at]!)})`);
    throw new Error(`${nameOf(provide)} is overridden twice: by ${one} and by ${other}. Remove one of them.`);
  });
}

function implementationOf(override: Override): string {
  if ('useClass' in override) return override.useClass.name;
  if ('useExisting' in override) return nameOf(override.useExisting as InjectionToken);
  return 'useFactory' in override ? 'a factory' : 'a value';
}

function nameOf(token: InjectionToken): string {
  return typeof token === 'function' ? token.name : String(token);
}
