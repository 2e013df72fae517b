import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { Secret } from '../../../platform/pages/components/secret';
import { Actions } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { EndpointWithSecret } from '../application/manage-webhooks';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import { type Area, SettingsPage } from '../../shell';
import { endpointPath } from './webhooks-page';

interface ConfirmationProps {
  area: Area;
  endpoint: EndpointDetails;
}

interface NewSecretPageProps {
  area: Area;
  made: EndpointWithSecret;
  /** After a rotation: until when the secret before signs as well. */
  previousEndsAt?: Date | null;
}

/** The one time that a secret is shown. */
export function NewSecretPage({ area, made: { endpoint, secret }, previousEndsAt }: NewSecretPageProps) {
  return (
    <SettingsPage area={area} place=":mode/webhooks" title="Copy the secret now">
      <Notice kind="warning" title="It is shown this once">
        Give it to the program at <code>{endpoint.url}</code>: with it, it can tell that an event comes from
        Gala.{' '}
        {previousEndsAt && (
          <>
            Until <Time at={previousEndsAt} zone={area.workspace.timeZone} />, the secret before signs as
            well.
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
        <code>{endpoint.url}</code> gets a new secret, which is shown once. Events are signed with the new and
        the old one for 24 hours more; by then the other program has to know the new one.
      </p>
      {formerEndsAt && formerEndsAt > now && (
        <Notice kind="warning" title="It was rotated only just now">
          The secret before the present one signs until{' '}
          <Time at={formerEndsAt} zone={area.workspace.timeZone} />. If you go on, it stops at once.
        </Notice>
      )}
      <Form action={endpointPath(area, endpoint, 'rotate')}>
        <Actions>
          <Button>Rotate the secret</Button>
          <ButtonLink to={endpointPath(area, endpoint)} kind="secondary">
            Keep it
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
        Nothing more is sent to <code>{endpoint.url}</code>, not even what waits to be tried again, and its
        log is gone. This can’t be undone. To stop it for a while, pause it instead.
      </p>
      <Form action={endpointPath(area, endpoint, 'delete')}>
        <Actions>
          <Button kind="danger">Delete</Button>
          <ButtonLink to={endpointPath(area, endpoint)} kind="secondary">
            Keep it
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}
