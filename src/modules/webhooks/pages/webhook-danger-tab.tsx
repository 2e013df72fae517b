import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { WebhookPageProps } from './webhook-page-props';
import { endpointPath } from './webhooks-page';

/** What stops events, for a while or for good. */
export function DangerTab({ area, endpoint, now }: WebhookPageProps) {
  const { previousSecretEndsAt } = endpoint;
  return (
    <>
      {endpoint.status === 'enabled' && (
        <Section title="Pause" intro="Events that occur while the endpoint is paused are never sent to it.">
          <Form action={endpointPath(area, endpoint, 'pause')}>
            <Button kind="secondary">Pause the endpoint</Button>
          </Form>
        </Section>
      )}
      <Section
        title="Rotate the secret"
        intro="If someone may have seen it. The old secret also signs for 24 hours, so you can switch without downtime."
      >
        {previousSecretEndsAt && previousSecretEndsAt > now && (
          <p>
            The previous secret signs until <Time at={previousSecretEndsAt} zone={area.workspace.timeZone} />.
          </p>
        )}
        <ButtonLink to={endpointPath(area, endpoint, 'rotate')} kind="secondary">
          Rotate the secret…
        </ButtonLink>
      </Section>
      <Section title="Delete" intro="Stops all deliveries and deletes their log." danger>
        <ButtonLink to={endpointPath(area, endpoint, 'delete')} kind="danger">
          Delete the endpoint…
        </ButtonLink>
      </Section>
    </>
  );
}
