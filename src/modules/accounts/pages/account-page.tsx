import type { ComponentChildren } from 'preact';
import type { MailReach } from '../../../kernel/mailer';
import { Badge } from '../../../platform/pages/components/badge';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { NavList } from '../../../platform/pages/components/navigation';
import { Notice } from '../../../platform/pages/components/notice';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import type { FormInput } from '../../../platform/pages/form-input';
import type { Session } from '../domain/session';
import type { User } from '../domain/user';
import { browserName } from './browser-name';
import { AccountHeader } from './account-header';
import { PASSWORD_HINT } from './password-reset-pages';

const NOTICES = new Map([
  ['password-changed', 'Your password was changed. Other browsers were signed out.'],
  [
    'two-factor-off',
    'Two-factor sign-in is off. You sign in with your password alone. Other browsers were signed out.',
  ],
]);

const NAV = [
  { to: '/account', label: 'Your account' },
  { to: '/account/two-factor', label: 'Two-factor sign-in' },
  { to: '/settings', label: 'Back to settings' },
] as const;

interface AccountFrameProps {
  user: User;
  title: string;
  current: (typeof NAV)[number]['to'];
  children: ComponentChildren;
}

export function AccountFrame({ user, title, current, children }: AccountFrameProps) {
  return (
    <PageDocument
      title={title}
      header={<AccountHeader email={user.email} />}
      nav={<NavList label="Account" groups={[{ items: NAV }]} current={current} />}
    >
      {children}
    </PageDocument>
  );
}

interface AccountPageProps {
  user: User;
  form: FormInput;
  mailReach: MailReach;
  sessions: readonly (Session & { isCurrent: boolean })[];
  notice?: string;
}

export function AccountPage({ user, form, mailReach, sessions, notice = '' }: AccountPageProps) {
  return (
    <AccountFrame user={user} title="Your account" current="/account">
      {NOTICES.has(notice) && <Notice kind="success">{NOTICES.get(notice)}</Notice>}
      <Section title="Password" intro={`You sign in as ${user.email}.`}>
        {!user.emailIsProven && <UnprovenEmail mailReach={mailReach} />}
        <PasswordForm user={user} form={form} />
      </Section>
      <Section title="Two-factor sign-in">
        <p>
          {user.hasSecondFactor ? <Badge kind="success">On</Badge> : <Badge>Off</Badge>}{' '}
          {user.hasSecondFactor
            ? 'You sign in with your password and a code from your authenticator app.'
            : 'Protect your account with a code from an app on your phone, even if someone learns your password.'}
        </p>
        <ButtonLink to="/account/two-factor" kind="secondary">
          {user.hasSecondFactor ? 'Manage' : 'Set up'}
        </ButtonLink>
      </Section>
      <Section title="Where you are signed in">
        <SessionTable sessions={sessions} />
        <Form action="/account/sign-out-everywhere" layout="inline" label="Sign out everywhere">
          <Button kind="danger">Sign out everywhere</Button>
        </Form>
      </Section>
    </AccountFrame>
  );
}

function UnprovenEmail({ mailReach }: { mailReach: MailReach }) {
  return (
    <p>
      Your email address is not confirmed.{' '}
      {mailReach === 'mailbox' ? (
        <>
          <Link to="/password-reset">Reset your password by email</Link> to confirm it. That turns off
          two-factor sign-in, so confirm your address before you set it up.
        </>
      ) : (
        'This server sends no email, so it can’t check that the address is yours.'
      )}
    </p>
  );
}

function PasswordForm({ user, form }: { user: User; form: FormInput }) {
  return (
    <Form action="/account/password">
      <ProblemSummary form={form} labels={{ current: 'Current password', next: 'New password' }} />
      <input type="hidden" autocomplete="username" value={user.email} />
      <TextField
        form={form}
        name="current"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
      />
      <TextField
        form={form}
        name="next"
        label="New password"
        hint={PASSWORD_HINT}
        type="password"
        autoComplete="new-password"
        required
      />
      <Button>Change password</Button>
    </Form>
  );
}

function SessionTable({ sessions }: Pick<AccountPageProps, 'sessions'>) {
  return (
    <DataTable
      caption="Signed-in browsers"
      hideCaption
      rows={sessions}
      columns={[
        {
          title: 'Browser',
          isHeader: true,
          cell: ({ userAgent, isCurrent }) => (
            <>
              {browserName(userAgent)} {isCurrent && <Badge kind="info">This browser</Badge>}
            </>
          ),
        },
        { title: 'IP address', cell: ({ address }) => address },
        { title: 'Signed in (UTC)', cell: ({ createdAt }) => <Time at={createdAt} zone="UTC" /> },
        { title: 'Last seen (UTC)', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} zone="UTC" /> },
      ]}
    />
  );
}
