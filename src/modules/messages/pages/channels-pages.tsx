import { Badge } from '../../../platform/pages/components/badge';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Secret } from '../../../platform/pages/components/secret';
import { Actions, EmptyState, Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { ConnectionView } from '../application/connection';
import type { Template } from '../domain/template';
import { Conversations, MagicNumbers, Templates } from './channel-sections';

const NOTICES = new Map([
  ['connected', 'The number is connected. Now enter its callback URL and verify token at Meta.'],
  ['works', 'The connection works.'],
  ['refreshed', 'The templates are up to date.'],
  ['saved', 'Changes saved.'],
  ['disconnected', 'The number was disconnected and its credentials were deleted.'],
]);

interface ChannelsPageProps {
  area: Area;
  connection: ConnectionView | undefined;
  /** The address that the provider calls with replies and statuses. */
  callbackUrl: string | undefined;
  templates: readonly Template[];
  form: FormInput;
  notice?: string;
  problem?: string;
}

export function ChannelsPage(props: ChannelsPageProps) {
  const { area, connection, callbackUrl, templates, form, notice, problem } = props;
  return (
    <SettingsPage
      area={area}
      place=":mode/channels"
      title="Channels"
      intro="Send messages to leads and receive their replies."
      done={NOTICES.get(notice ?? '')}
    >
      {problem && (
        <Notice kind="danger" title="That didn’t work">
          {`WhatsApp: ${problem}`}
        </Notice>
      )}
      {area.mode === 'test' ? (
        <MagicNumbers />
      ) : connection ? (
        <>
          <Connected area={area} connection={connection} callbackUrl={callbackUrl!} />
          <Templates area={area} templates={templates} />
        </>
      ) : (
        <EmptyState
          title="No channel connected"
          action={<ButtonLink to={channelsPath(area, 'connect')}>Connect WhatsApp</ButtonLink>}
        >
          Live messages can’t be sent yet. Test messages go to a simulator and need no channel.
        </EmptyState>
      )}
      <Conversations area={area} form={form} action={channelsPath(area, 'conversations')} />
    </SettingsPage>
  );
}

function Connected({
  area,
  connection,
  callbackUrl,
}: {
  area: Area;
  connection: ConnectionView;
  callbackUrl: string;
}) {
  const { displayPhone, verifiedName, connectedAt, verifiedAt, lastCallbackAt } = connection;
  const { timeZone } = area.workspace;
  return (
    <Section title="WhatsApp">
      <DescriptionList
        items={[
          { term: 'Number', details: displayPhone },
          { term: 'Display name', details: verifiedName ?? 'Not verified yet' },
          { term: 'Connected', details: <Time at={connectedAt} zone={timeZone} /> },
          {
            term: 'Callback URL',
            details: verifiedAt ? (
              <Badge kind="success">Verified</Badge>
            ) : (
              <Badge kind="warning">Not verified</Badge>
            ),
          },
          { term: 'Last callback', details: <Time at={lastCallbackAt} zone={timeZone} /> },
        ]}
      />
      {!verifiedAt && (
        <Notice kind="warning" title="Replies are not received yet">
          In your Meta app, under WhatsApp → Configuration, enter this callback URL and verify token, and
          subscribe to the field “messages”.
        </Notice>
      )}
      <Secret name="callback" label="Callback URL" value={callbackUrl} />
      <Secret name="verify-token" label="Verify token" value={connection.verifyToken} />
      <Form action={channelsPath(area, 'test')} layout="inline" label="Test the connection">
        <Button kind="secondary">Test the connection</Button>
        <ButtonLink to={channelsPath(area, 'connect')} kind="secondary">
          Change the credentials
        </ButtonLink>
        <ButtonLink to={channelsPath(area, 'disconnect')} kind="secondary">
          Disconnect
        </ButtonLink>
      </Form>
    </Section>
  );
}

const LABELS = {
  phoneNumberId: 'Phone number ID',
  businessAccountId: 'WhatsApp business account ID',
  accessToken: 'Access token',
  appSecret: 'App secret',
};

export function ConnectChannelPage({ area, form }: { area: Area; form: FormInput }) {
  return (
    <SettingsPage
      area={area}
      place=":mode/channels"
      title="Connect WhatsApp"
      intro="You find these values in your app at developers.facebook.com. Gala checks them with WhatsApp before saving, and stores them encrypted."
    >
      <Form action={channelsPath(area, 'connect')}>
        <ProblemSummary form={form} labels={LABELS} />
        <TextField
          form={form}
          name="phoneNumberId"
          label={LABELS.phoneNumberId}
          hint="Under WhatsApp → API setup. Not the phone number itself."
          inputMode="numeric"
          required
          autoFocus
        />
        <TextField
          form={form}
          name="businessAccountId"
          label={LABELS.businessAccountId}
          hint="Next to the phone number ID."
          inputMode="numeric"
          required
        />
        <TextField
          form={form}
          name="accessToken"
          label={LABELS.accessToken}
          hint="From a system user, so that it doesn’t expire, with the permissions whatsapp_business_messaging and whatsapp_business_management."
          type="password"
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name="appSecret"
          label={LABELS.appSecret}
          hint="Under App settings → Basic. Gala verifies callbacks with it."
          type="password"
          autoComplete="off"
          required
        />
        <Actions>
          <Button>Connect</Button>
          <ButtonLink to={channelsPath(area)} kind="secondary">
            Back to channels
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

export function DisconnectChannelPage({ area, connection }: { area: Area; connection: ConnectionView }) {
  return (
    <SettingsPage area={area} place=":mode/channels" title={`Disconnect ${connection.displayPhone}?`}>
      <p>
        No more messages are sent or received, and queued messages fail. The credentials are deleted.
        Conversations stay.
      </p>
      <Form action={channelsPath(area, 'disconnect')}>
        <Actions>
          <Button kind="danger">Disconnect</Button>
          <ButtonLink to={channelsPath(area)} kind="secondary">
            Cancel
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

function channelsPath(area: Area, page = '') {
  return settingsPath(area, `${area.mode}/channels${page && `/${page}`}`);
}
