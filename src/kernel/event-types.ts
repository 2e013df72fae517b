import { Catalogue } from './catalogue';

/** The types of events that there are, `<object>.<what happened>`. */
export class EventTypes extends Catalogue {
  constructor(...tables: Record<string, string>[]) {
    super('event type', tables);
  }
}
