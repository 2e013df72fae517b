import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { Tabs } from '../../../platform/pages/components/navigation';
import { Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { SettingsPage } from '../../shell';
import { isPaused } from '../domain/webhook-endpoint';
import { DangerTab } from './webhook-danger-tab';
import { DeliveriesTab } from './webhook-deliveries-tab';
import { SettingsTab } from './webhook-settings-tab';
import { EndpointState } from './webhook-state';
import { tabPath, TABS, type WebhookPageProps, type WebhookTab } from './webhook-page-props';
import { endpointPath } from './webhooks-page';

const NOTICES = new Map([
  ['test', 'A test event was sent. See the latest deliveries.'],
  ['saved', 'Changes saved.'],
  ['paused', 'The endpoint is paused. Nothing is sent to it until you enable it.'],
  ['enabled', 'The endpoint is enabled. Waiting events are being sent.'],
]);

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
