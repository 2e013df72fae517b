import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions, Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import type { DeliveryView } from '../domain/delivery';
import { type EndpointDetails, isPaused } from '../domain/webhook-endpoint';
import { DeliveryTable } from './deliveries-page';
import type { EventWords } from './event-choices';
import { EndpointFields } from './webhook-form';
import { EndpointState } from './webhook-state';
import { creatorOf, type Creators, endpointPath } from './webhooks-page';

const NOTICES = new Map([
  ['test', 'A test event was sent. See the latest deliveries.'],
  ['saved', 'Changes saved.'],
  ['paused', 'The endpoint is paused. Nothing is sent to it until you enable it.'],
  ['enabled', 'The endpoint is enabled. Waiting events are being sent.'],
]);

export interface WebhookPageProps {
  area: Area;
  endpoint: EndpointDetails;
  creators: Creators;
  words: EventWords;
  latest: readonly DeliveryView[];
  /** The form that edits the endpoint. */
  changes: FormInput;
  /** The form that resends failed events. */
  recovery: FormInput;
  now: Date;
  notice?: string;
}

export function WebhookPage({ notice = '', ...props }: WebhookPageProps) {
  const { area, endpoint, changes, words } = props;
  return (
    <SettingsPage
      area={area}
      place=":mode/webhooks"
      title={endpoint.description ?? new URL(endpoint.url).host}
      actions={<EndpointState endpoint={endpoint} />}
      done={NOTICES.get(notice)}
    >
      <Trouble {...props} />
      <Facts {...props} />
      <LatestDeliveries {...props} />
      <Section title="Edit">
        <Form action={endpointPath(area, endpoint)} id="change">
          <EndpointFields form={changes} words={words} />
          <Button>Save</Button>
        </Form>
      </Section>
      {endpoint.status === 'enabled' && <Recovery {...props} />}
      <Section
        title="Rotate the secret"
        intro="If someone may have seen it. The old secret also signs for 24 hours, so you can switch without downtime."
      >
        <ButtonLink to={endpointPath(area, endpoint, 'rotate')} kind="secondary">
          Rotate the secret…
        </ButtonLink>
      </Section>
      {endpoint.status === 'enabled' && (
        <Section title="Pause" intro="Events that occur while the endpoint is paused are never sent to it.">
          <Form action={endpointPath(area, endpoint, 'pause')}>
            <Button kind="secondary">Pause the endpoint</Button>
          </Form>
        </Section>
      )}
      <Section title="Delete" intro="Stops all deliveries and deletes their log." danger>
        <ButtonLink to={endpointPath(area, endpoint, 'delete')} kind="danger">
          Delete the endpoint…
        </ButtonLink>
      </Section>
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

function Facts({ area, endpoint, creators, now }: WebhookPageProps) {
  const { timeZone } = area.workspace;
  const { previousSecretEndsAt } = endpoint;
  return (
    <Section title="Details">
      <DescriptionList
        items={[
          { term: 'URL', details: <code>{endpoint.url}</code> },
          { term: 'ID', details: <code>{endpoint.id}</code> },
          { term: 'Events', details: endpoint.events.join(', ') },
          { term: 'Created by', details: creatorOf(endpoint, creators) },
          ...(endpoint.expiresAt
            ? [{ term: 'Expires', details: <Time at={endpoint.expiresAt} zone={timeZone} /> }]
            : []),
          { term: 'Created', details: <Time at={endpoint.createdAt} zone={timeZone} /> },
          ...(previousSecretEndsAt && previousSecretEndsAt > now
            ? [
                {
                  term: 'Previous secret',
                  details: (
                    <>
                      Signs until <Time at={previousSecretEndsAt} zone={timeZone} />
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

function LatestDeliveries({ area, endpoint, latest }: WebhookPageProps) {
  return (
    <Section title="Latest deliveries">
      {latest.length > 0 ? (
        <DeliveryTable area={area} endpoint={endpoint} deliveries={latest} caption="Latest deliveries" />
      ) : (
        <p>No deliveries in the last 30 days.</p>
      )}
      <Actions>
        {endpoint.status === 'enabled' && (
          <Form action={endpointPath(area, endpoint, 'test')} layout="inline">
            <Button kind="secondary">Send a test event</Button>
          </Form>
        )}
        {latest.length > 0 && <Link to={endpointPath(area, endpoint, 'deliveries')}>All deliveries</Link>}
      </Actions>
    </Section>
  );
}

function Recovery({ area, endpoint, recovery }: WebhookPageProps) {
  const labels = { since: 'Failed since' };
  return (
    <Section
      title="Recover"
      intro="Resend every failed event since a given time, for example after an outage."
    >
      <Form action={endpointPath(area, endpoint, 'recover')} id="recover">
        <ProblemSummary form={recovery} labels={labels} />
        <TextField
          form={recovery}
          name="since"
          label={labels.since}
          hint={`In ${area.workspace.timeZone} time, such as 2027-01-15T09:30. At most 30 days ago.`}
          type="datetime-local"
          required
        />
        <Button kind="secondary">Resend</Button>
      </Form>
    </Section>
  );
}
