import { Button } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { ScopeList } from '../../../platform/pages/components/scope-list';
import { Actions, Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import { type Area, settingsPath } from '../../shell';
import { DeliveryTable } from './deliveries-page';
import { skippedCauses } from './webhook-form';
import type { WebhookPageProps } from './webhook-page-props';
import { answerOf } from './webhook-state';
import { creatorOf, endpointPath } from './webhooks-page';

/** What the endpoint receives, how it answers, and what it is sent again. */
export function DeliveriesTab(props: WebhookPageProps) {
  return (
    <>
      <Receives {...props} />
      <LatestDeliveries {...props} />
      {props.endpoint.status === 'enabled' && <Recovery {...props} />}
    </>
  );
}

/** Everything that decides which events arrive. */
function Receives({ area, endpoint, creators, latest, scopeWords }: WebhookPageProps) {
  const { timeZone } = area.workspace;
  const { failingSince, scopes, skipCauses } = endpoint;
  const answered = latest.find(({ attempts }) => attempts.length > 0);
  const last = answered?.attempts.at(-1);
  return (
    <Section title="What it receives">
      <DescriptionList
        items={[
          { term: 'Events', details: <span translate={false}>{endpoint.events.join(', ')}</span> },
          ...(skipCauses.length > 0
            ? [{ term: 'Except those caused by', details: skippedCauses(skipCauses) }]
            : []),
          ...(scopes
            ? [
                {
                  term: 'Limited to the scopes',
                  details: <ScopeList scopes={scopes} words={scopeWords} />,
                },
              ]
            : []),
          { term: 'Mode', details: <ModeHint area={area} /> },
          {
            term: 'Last answer',
            details:
              answered && last ? (
                <>
                  <Link to={endpointPath(area, endpoint, `deliveries/${answered.id}`)}>{answerOf(last)}</Link>
                  , <Time at={last.at} zone={timeZone} />
                </>
              ) : (
                'None in the last 30 days'
              ),
          },
          ...(failingSince
            ? [{ term: 'Failing since', details: <Time at={failingSince} zone={timeZone} /> }]
            : []),
          { term: 'Created by', details: creatorOf(endpoint, creators) },
        ]}
      />
    </Section>
  );
}

function ModeHint({ area }: { area: Area }) {
  const other = area.mode === 'live' ? 'test' : 'live';
  return (
    <>
      {area.mode === 'live' ? 'Live' : 'Test'} events only.{' '}
      <Link to={settingsPath(area, `${other}/webhooks`)}>
        {other === 'live' ? 'Live' : 'Test'} events go to {other} endpoints
      </Link>
      .
    </>
  );
}

function LatestDeliveries({ area, endpoint, latest }: WebhookPageProps) {
  return (
    <Section title="Latest deliveries">
      {latest.length > 0 ? (
        <DeliveryTable area={area} endpoint={endpoint} deliveries={latest} caption="Latest deliveries" />
      ) : (
        <p>No deliveries in the last 30 days: no such event has occurred.</p>
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
