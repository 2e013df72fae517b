import { Button } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Actions, Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { Verbatim } from '../../../platform/pages/components/verbatim';
import { type Area, SettingsPage } from '../../shell';
import type { Attempt, DeliveryView } from '../domain/delivery';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import { answerOf, DeliveryState } from './webhook-state';
import { endpointPath } from './webhooks-page';

const NOTICES = new Map([['again', 'The event is being resent.']]);

interface DeliveryPageProps {
  area: Area;
  endpoint: EndpointDetails;
  delivery: DeliveryView;
  /** The bytes of every attempt. */
  body: string;
  notice: string;
}

export function DeliveryPage({ area, endpoint, delivery, body, notice }: DeliveryPageProps) {
  const { timeZone } = area.workspace;
  const path = endpointPath(area, endpoint, `deliveries/${delivery.id}`);
  const attempts = delivery.attempts.map((attempt, index) => ({ ...attempt, number: index + 1 })).reverse();
  return (
    <SettingsPage
      area={area}
      place=":mode/webhooks"
      title={delivery.eventType}
      intro={
        <>
          One of the <Link to={endpointPath(area, endpoint, 'deliveries')}>deliveries</Link> to{' '}
          <Link to={endpointPath(area, endpoint)}>{endpoint.url}</Link>
        </>
      }
      actions={<DeliveryState endpoint={endpoint} delivery={delivery} />}
      done={NOTICES.get(notice)}
    >
      <Section title="Details">
        <DescriptionList
          items={[
            { term: 'Event', details: <code>{delivery.eventId}</code> },
            { term: 'Delivery', details: <code>{delivery.id}</code> },
            { term: 'Occurred', details: <Time at={delivery.createdAt} zone={timeZone} seconds /> },
            ...(delivery.status === 'pending' && delivery.nextAttemptAt
              ? [
                  {
                    term: 'Next attempt',
                    details:
                      endpoint.status === 'enabled' ? (
                        <Time at={delivery.nextAttemptAt} zone={timeZone} seconds />
                      ) : (
                        'When the endpoint is enabled'
                      ),
                  },
                ]
              : []),
          ]}
        />
        <Actions>
          {endpoint.status === 'enabled' && (
            <Form action={`${path}/retry`} layout="inline">
              <Button kind="secondary">Redeliver</Button>
            </Form>
          )}
          {delivery.status === 'pending' && <Link to={path}>Refresh</Link>}
        </Actions>
      </Section>
      <Section title="Attempts">
        {attempts.length === 0 && <p>No attempts yet.</p>}
        {attempts.map((attempt) => (
          <AttemptDetails attempt={attempt} timeZone={timeZone} />
        ))}
      </Section>
      <Section
        title="Payload"
        intro="Every attempt sends the same bytes with a new signature. Signatures are not stored."
      >
        <DescriptionList
          items={[
            { term: 'Content-Type', details: <code>application/json</code> },
            { term: 'webhook-id', details: <code>{delivery.eventId}</code> },
          ]}
        />
        <Verbatim label="Body" text={body} />
      </Section>
    </SettingsPage>
  );
}

interface AttemptDetailsProps {
  attempt: Attempt & { number: number };
  timeZone: string;
}

function AttemptDetails({ attempt, timeZone }: AttemptDetailsProps) {
  const { number, at, duration, responseStatus, responseBody } = attempt;
  return (
    <div class="attempt">
      <h3>
        Attempt {number}: {answerOf(attempt)}
      </h3>
      <DescriptionList
        items={[
          { term: 'When', details: <Time at={at} zone={timeZone} seconds /> },
          { term: 'webhook-timestamp', details: <code>{Math.floor(at.getTime() / 1000)}</code> },
          { term: 'Duration', details: `${duration} ms` },
          ...(responseStatus !== null && !responseBody ? [{ term: 'Response', details: 'Empty body' }] : []),
        ]}
      />
      {responseBody && <Verbatim label={`Response to attempt ${number}`} text={responseBody} />}
    </div>
  );
}
