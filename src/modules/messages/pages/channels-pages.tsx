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
import type { ConnectionView } from '../application/connection';
import type { Template } from '../domain/template';
import { type Area, ModeTabs, SettingsPage, settingsPath } from '../../shell';
import { Conversations, MagicNumbers, Templates } from './channel-sections';

const NOTICES = new Map([
  ['connected', 'The number is connected. Now enter its callback address and verify token at Meta.'],
  ['works', 'WhatsApp answers, and knows the number.'],
  ['refreshed', 'The templates are those that WhatsApp has now.'],
  ['saved', 'The changes are saved.'],
  ['disconnected', 'The number is disconnected, and its credentials are deleted here.'],
]);

interface ChannelsPageProps {
  area: Area;
  connection: ConnectionView | undefined;
  /** Where the provider reports what happens. */
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
      intro="Where messages to leads go out, and replies come in."
      done={NOTICES.get(notice ?? '')}
    >
      <ModeTabs area={area} page="channels" />
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
          title="No channel is connected"
          action={<ButtonLink to={channelsPath(area, 'connect')}>Connect WhatsApp</ButtonLink>}
        >
          Live messages can’t be sent yet. Test keys can be used meanwhile: their messages go to a simulator.
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
          { term: 'Shown to leads as', details: verifiedName ?? 'Not verified yet' },
          { term: 'Connected', details: <Time at={connectedAt} zone={timeZone} /> },
          {
            term: 'Callback address',
            details: verifiedAt ? (
              <Badge kind="success">Verified</Badge>
            ) : (
              <Badge kind="warning">Not verified</Badge>
            ),
          },
          { term: 'Last heard of', details: <Time at={lastCallbackAt} zone={timeZone} /> },
        ]}
      />
      {!verifiedAt && (
        <Notice kind="warning" title="Replies don’t come in yet">
          At Meta, under WhatsApp → Configuration, enter this address and this verify token, and subscribe to
          the field “messages”.
        </Notice>
      )}
      <Secret name="callback" label="Callback address" value={callbackUrl} />
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
      intro="All of this is on your app’s pages at developers.facebook.com. It is checked there before it is saved, and kept encrypted."
    >
      <Form action={channelsPath(area, 'connect')}>
        <ProblemSummary form={form} labels={LABELS} />
        <TextField
          form={form}
          name="phoneNumberId"
          label={LABELS.phoneNumberId}
          hint="WhatsApp → API setup. It isn’t the number itself."
          inputMode="numeric"
          required
          autoFocus
        />
        <TextField
          form={form}
          name="businessAccountId"
          label={LABELS.businessAccountId}
          hint="Beside the phone number ID."
          inputMode="numeric"
          required
        />
        <TextField
          form={form}
          name="accessToken"
          label={LABELS.accessToken}
          hint="Of a system user, so that it doesn’t expire, with the permissions whatsapp_business_messaging and whatsapp_business_management."
          type="password"
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name="appSecret"
          label={LABELS.appSecret}
          hint="App settings → Basic. It proves that what comes in is from WhatsApp."
          type="password"
          autoComplete="off"
          required
        />
        <Actions>
          <Button>Connect</Button>
          <ButtonLink to={channelsPath(area)} kind="secondary">
            Back to the channels
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
        Nothing more is sent or received, and messages that wait to be sent fail. The credentials are deleted
        here; conversations stay.
      </p>
      <Form action={channelsPath(area, 'disconnect')}>
        <Actions>
          <Button kind="danger">Disconnect</Button>
          <ButtonLink to={channelsPath(area)} kind="secondary">
            Keep it
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

function channelsPath(area: Area, page = '') {
  return settingsPath(area, `${area.mode}/channels${page && `/${page}`}`);
}
