import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { Tabs } from '../../../platform/pages/components/navigation';
import { Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import type { DeliveryView } from '../domain/delivery';
import { type EndpointDetails, isPaused } from '../domain/webhook-endpoint';
import type { EventWords } from './event-choices';
import { DangerTab } from './webhook-danger-tab';
import { DeliveriesTab } from './webhook-deliveries-tab';
import { SettingsTab } from './webhook-settings-tab';
import { EndpointState } from './webhook-state';
import { type Creators, endpointPath } from './webhooks-page';

const NOTICES = new Map([
  ['test', 'A test event was sent. See the latest deliveries.'],
  ['saved', 'Changes saved.'],
  ['paused', 'The endpoint is paused. Nothing is sent to it until you enable it.'],
  ['enabled', 'The endpoint is enabled. Waiting events are being sent.'],
]);

const TABS = { deliveries: 'Deliveries', settings: 'Settings', danger: 'Danger zone' };
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

export function WebhookPage({ notice = '', ...props }: WebhookPageProps) {
  const { area, endpoint, tab } = props;
  const pathOf = (name: string) => tabPath(area, endpoint, name as WebhookTab);
  return (
    <SettingsPage
      area={area}
      place=":mode/webhooks"
      title={endpoint.description ?? new URL(endpoint.url).host}
      intro={<code>{endpoint.url}</code>}
      actions={<EndpointState endpoint={endpoint} />}
      done={NOTICES.get(notice)}
    >
      <Trouble {...props} />
      <Tabs
        label="Endpoint"
        items={Object.entries(TABS).map(([name, label]) => ({ to: pathOf(name), label }))}
        current={pathOf(tab)}
      />
      {tab === 'settings' && <SettingsTab {...props} />}
      {tab === 'danger' && <DangerTab {...props} />}
      {tab === 'deliveries' && <DeliveriesTab {...props} />}
    </SettingsPage>
  );
}

export function tabPath(area: Area, endpoint: Pick<EndpointDetails, 'id'>, tab: WebhookTab) {
  const path = endpointPath(area, endpoint);
  return tab === 'deliveries' ? path : (`${path}?tab=${tab}` as const);
}

/** Says why the endpoint receives no events, and what to do about it. */
function Trouble({ area, endpoint }: WebhookPageProps) {
  if (endpoint.status === 'enabled') {
    if (!endpoint.verifiedAt) {
      return (
        <Notice title="Waiting for a successful test">
          This host is new, so Gala sends it a test event first. Other events wait until one is answered with
          a 2xx status; none are lost. Send another test when the receiver is ready.
        </Notice>
      );
    }
    if (!endpoint.failingSince) return null;
    return (
      <Notice kind="warning" title="Deliveries are failing">
        Every delivery since <Time at={endpoint.failingSince} zone={area.workspace.timeZone} /> has failed.
        The log shows why. After five days of failures, Gala disables the endpoint.
      </Notice>
    );
  }
  const paused = isPaused(endpoint);
  return (
    <Section
      title={paused ? 'The endpoint is paused' : 'Gala disabled the endpoint'}
      intro={
        paused
          ? 'Nothing is sent to it until you enable it.'
          : `${endpoint.disabledReason ?? ''} Nothing is sent to it until you enable it.`
      }
    >
      <Form action={endpointPath(area, endpoint, 'enable')}>
        <Button>Enable the endpoint</Button>
      </Form>
    </Section>
  );
}
