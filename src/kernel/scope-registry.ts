import { Registry } from './registry';

/** The scopes that a credential may carry. */
export class ScopeRegistry extends Registry {
  constructor(...tables: Record<string, string>[]) {
    super('scope', tables);
  }
}
