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
import type { DeliveryView } from '../domain/delivery';
import { type EndpointDetails, isPaused } from '../domain/webhook-endpoint';
import { type Area, SettingsPage } from '../../shell';
import { DeliveryTable } from './deliveries-page';
import type { EventWords } from './event-choices';
import { EndpointFields } from './webhook-form';
import { EndpointState } from './webhook-state';
import { adderOf, type AppNames, endpointPath } from './webhooks-page';

const NOTICES = new Map([
  ['test', 'A test event is on its way: it is among the latest deliveries.'],
  ['saved', 'The changes are saved.'],
  ['paused', 'The endpoint is paused. Nothing is sent to it until you enable it.'],
  ['enabled', 'The endpoint is enabled. What waited for it is sent now.'],
]);

export interface WebhookPageProps {
  area: Area;
  endpoint: EndpointDetails;
  apps: AppNames;
  words: EventWords;
  latest: readonly DeliveryView[];
  /** To change the endpoint. */
  changes: FormInput;
  /** To send again what was given up. */
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
      <Section title="Change">
        <Form action={endpointPath(area, endpoint)} id="change">
          <EndpointFields form={changes} words={words} />
          <Button>Save</Button>
        </Form>
      </Section>
      {endpoint.status === 'enabled' && <Recovery {...props} />}
      <Section
        title="Rotate the secret"
        intro="When somebody may have seen it. The old one goes on signing for 24 hours, so that nothing stops while the other program changes over."
      >
        <ButtonLink to={endpointPath(area, endpoint, 'rotate')} kind="secondary">
          Rotate the secret…
        </ButtonLink>
      </Section>
      {endpoint.status === 'enabled' && (
        <Section title="Pause" intro="What happens in the meantime is not sent to it later, either.">
          <Form action={endpointPath(area, endpoint, 'pause')}>
            <Button kind="secondary">Pause the endpoint</Button>
          </Form>
        </Section>
      )}
      <Section title="Delete" intro="Nothing more is sent to it, and its log is gone." danger>
        <ButtonLink to={endpointPath(area, endpoint, 'delete')} kind="danger">
          Delete the endpoint…
        </ButtonLink>
      </Section>
    </SettingsPage>
  );
}

/** What keeps events from arriving, and the way out. */
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
      <Notice kind="warning" title="It doesn’t take what is sent">
        Every delivery since <Time at={endpoint.failingSince} zone={area.workspace.timeZone} /> has failed;
        their log says why. After five days of that, Gala disables the endpoint.
      </Notice>
    );
  }
  const paused = isPaused(endpoint);
  return (
    <Section
      title={paused ? 'It is paused' : 'Gala has disabled it'}
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

function Facts({ area, endpoint, apps, now }: WebhookPageProps) {
  const { timeZone } = area.workspace;
  const { previousSecretEndsAt } = endpoint;
  return (
    <Section title="About this endpoint">
      <DescriptionList
        items={[
          { term: 'URL', details: <code>{endpoint.url}</code> },
          { term: 'Id', details: <code>{endpoint.id}</code> },
          { term: 'Hears of', details: endpoint.events.join(', ') },
          { term: 'Added by', details: adderOf(endpoint, apps) },
          ...(endpoint.expiresAt
            ? [{ term: 'Expires', details: <Time at={endpoint.expiresAt} zone={timeZone} /> }]
            : []),
          { term: 'Added', details: <Time at={endpoint.createdAt} zone={timeZone} /> },
          ...(previousSecretEndsAt && previousSecretEndsAt > now
            ? [
                {
                  term: 'Former secret',
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
        <p>Nothing was sent to it in the last 30 days.</p>
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
  const labels = { since: 'Given up since' };
  return (
    <Section
      title="Recover"
      intro="After the other program was out of order for long: sends everything again that was given up since a time."
    >
      <Form action={endpointPath(area, endpoint, 'recover')} id="recover">
        <ProblemSummary form={recovery} labels={labels} />
        <TextField
          form={recovery}
          name="since"
          label={labels.since}
          hint={`In the time of ${area.workspace.timeZone}, such as 2027-01-15T09:30. Goes back 30 days.`}
          type="datetime-local"
          required
        />
        <Button kind="secondary">Send it again</Button>
      </Form>
    </Section>
  );
}
