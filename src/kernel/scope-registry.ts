import { type Registration, Registry } from './registry';

/** The scopes that a credential may carry. OAuth separates them by spaces, the command line by commas. */
export class ScopeRegistry extends Registry {
  constructor(...registrations: Registration<string>[]) {
    const kind = {
      noun: 'scope',
      names: /^[a-z0-9]+([:._-][a-z0-9]+)*$/,
      rule: 'lower-case letters and digits, joined by ":", "_", "-" or ".", such as vendors:read',
    };
    super(kind, registrations);
  }
}
