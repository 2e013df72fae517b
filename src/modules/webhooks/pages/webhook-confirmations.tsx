import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { Secret } from '../../../platform/pages/components/secret';
import { Actions } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type Area, SettingsPage } from '../../shell';
import type { EndpointWithSecret } from '../application/manage-webhooks';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import { endpointPath } from './webhooks-page';

interface ConfirmationProps {
  area: Area;
  endpoint: EndpointDetails;
}

interface NewSecretPageProps {
  area: Area;
  made: EndpointWithSecret;
  /** After a rotation: when the old secret stops signing. */
  previousEndsAt?: Date | null;
}

/** The only page that shows the secret. */
export function NewSecretPage({ area, made: { endpoint, secret }, previousEndsAt }: NewSecretPageProps) {
  return (
    <SettingsPage area={area} place=":mode/webhooks" title="Copy the secret now">
      <Notice kind="warning" title="You won’t see it again">
        Store it in the system behind <code>{endpoint.url}</code>, which verifies with it that events come
        from Gala.{' '}
        {previousEndsAt && (
          <>
            The old secret also signs until <Time at={previousEndsAt} zone={area.workspace.timeZone} />.
          </>
        )}
      </Notice>
      <Secret name="secret" label={`Your new ${area.mode} signing secret`} value={secret} />
      <ButtonLink to={endpointPath(area, endpoint)}>I have stored it</ButtonLink>
    </SettingsPage>
  );
}

export function RotateSecretPage({ area, endpoint, now }: ConfirmationProps & { now: Date }) {
  const { previousSecretEndsAt: formerEndsAt } = endpoint;
  return (
    <SettingsPage area={area} place=":mode/webhooks" title="Rotate the secret?">
      <p>
        <code>{endpoint.url}</code> gets a new secret, which is shown once. For 24 hours, events are signed
        with both the old and the new secret. Update your system within that time.
      </p>
      {formerEndsAt && formerEndsAt > now && (
        <Notice kind="warning" title="The secret was rotated recently">
          The previous secret still signs until <Time at={formerEndsAt} zone={area.workspace.timeZone} />. If
          you continue, it stops immediately.
        </Notice>
      )}
      <Form action={endpointPath(area, endpoint, 'rotate')}>
        <Actions>
          <Button>Rotate the secret</Button>
          <ButtonLink to={endpointPath(area, endpoint)} kind="secondary">
            Cancel
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

export function DeleteWebhookPage({ area, endpoint }: ConfirmationProps) {
  return (
    <SettingsPage area={area} place=":mode/webhooks" title="Delete the endpoint?">
      <p>
        Nothing more is sent to <code>{endpoint.url}</code>, including pending retries, and its log is
        deleted. This can’t be undone. To stop deliveries for a while, pause the endpoint instead.
      </p>
      <Form action={endpointPath(area, endpoint, 'delete')}>
        <Actions>
          <Button kind="danger">Delete</Button>
          <ButtonLink to={endpointPath(area, endpoint)} kind="secondary">
            Cancel
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}
