import type { FormInput } from '../../../platform/pages/form-input';
import type { Area } from '../../shell';
import type { DeliveryView } from '../domain/delivery';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import type { EventWords } from './event-choices';
import { type Creators, endpointPath } from './webhooks-page';

export const TABS = { deliveries: 'Deliveries', settings: 'Settings', danger: 'Danger zone' };
export type WebhookTab = keyof typeof TABS;

/** The tab that an address asks for. */
export function tabNamed(name: string): WebhookTab {
  return Object.hasOwn(TABS, name) ? (name as WebhookTab) : 'deliveries';
}

export interface WebhookPageProps {
  area: Area;
  endpoint: EndpointDetails;
  tab: WebhookTab;
  creators: Creators;
  words: EventWords;
  /** What each scope allows, by scope. */
  scopeWords: ReadonlyMap<string, string>;
  latest: readonly DeliveryView[];
  /** The form that edits the endpoint. */
  changes: FormInput;
  /** The form that resends failed events. */
  recovery: FormInput;
  now: Date;
  notice?: string;
}

export function tabPath(area: Area, endpoint: Pick<EndpointDetails, 'id'>, tab: WebhookTab) {
  const path = endpointPath(area, endpoint);
  return tab === 'deliveries' ? path : (`${path}?tab=${tab}` as const);
}
