import { Catalogue } from './catalogue';

/** The scopes that a credential may carry. */
export class ScopeRegistry extends Catalogue {
  constructor(...tables: Record<string, string>[]) {
    super('scope', tables);
  }
}
