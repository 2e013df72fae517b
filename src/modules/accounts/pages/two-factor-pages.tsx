import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Secret } from '../../../platform/pages/components/secret';
import { Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import type { Enrolment } from '../application/second-factor';
import type { User } from '../domain/user';
import { AccountFrame } from './account-page';
import { QrCode } from './qr-code';

const TITLE = 'Two-factor sign-in';
const LABELS = { password: 'Password', code: 'Code' };
const CODE_HINT = 'From your authenticator app, or a recovery code.';

export function StartPage({ user, form }: { user: User; form: FormInput }) {
  return (
    <AccountFrame user={user} title={TITLE} current="/account/two-factor">
      <Section
        title="Set up two-factor sign-in"
        intro="You need an authenticator app, such as Google Authenticator, 1Password or Aegis. Turning it on signs out other browsers."
      >
        <Form action="/account/two-factor/set-up">
          <ProblemSummary form={form} labels={LABELS} />
          <PasswordField form={form} user={user} />
          <Button>Continue</Button>
        </Form>
      </Section>
    </AccountFrame>
  );
}

interface EnrolmentPageProps {
  user: User;
  enrolment: Enrolment;
  form: FormInput;
}

export function EnrolmentPage({ user, enrolment, form }: EnrolmentPageProps) {
  return (
    <AccountFrame user={user} title={TITLE} current="/account/two-factor">
      <Section
        title="1. Scan the code"
        intro="Scan it with your authenticator app, or type the key into the app."
      >
        <QrCode text={enrolment.uri} title="QR code for your authenticator app" />
        <Secret name="secret" label="Key" value={enrolment.secret.replace(/.{4}(?=.)/g, '$& ')} />
      </Section>
      <Section title="2. Enter the 6-digit code" intro="Your app shows it for Gala.">
        <Form action="/account/two-factor">
          <ProblemSummary form={form} labels={LABELS} />
          <input type="hidden" name="secret" value={enrolment.secret} />
          <CodeField form={form} />
          <Button>Turn on</Button>
        </Form>
      </Section>
    </AccountFrame>
  );
}

export function RecoveryCodesPage({ user, codes }: { user: User; codes: readonly string[] }) {
  return (
    <AccountFrame user={user} title="Your recovery codes" current="/account/two-factor">
      <Notice kind="success" title="Two-factor sign-in is on">
        Other browsers were signed out. Store these codes in a safe place: each signs you in once without the
        app. You won’t see them again.
      </Notice>
      <Secret name="codes" label="Recovery codes" value={codes.join('\n')} />
      <ButtonLink to="/account">I have stored them</ButtonLink>
    </AccountFrame>
  );
}

interface ManagePageProps {
  user: User;
  codesLeft: number;
  /** The page has two forms with the same fields; at most one of them has problems. */
  renewal: FormInput;
  removal: FormInput;
}

export function ManagePage({ user, codesLeft, renewal, removal }: ManagePageProps) {
  return (
    <AccountFrame user={user} title={TITLE} current="/account/two-factor">
      <Section
        title="Recovery codes"
        intro={`You have ${codesLeft} left. Creating new codes replaces them all and signs out other browsers.`}
      >
        <Form action="/account/two-factor/recovery-codes" id="renewal">
          <ProblemSummary form={renewal} labels={LABELS} />
          <PasswordField form={renewal} user={user} />
          <CodeField form={renewal} hint={CODE_HINT} />
          <Button kind="secondary">Create new codes</Button>
        </Form>
      </Section>
      <Section
        title="Turn off"
        intro="You will sign in with your password alone. Other browsers will be signed out."
        danger
      >
        <Form action="/account/two-factor/turn-off" id="removal">
          <ProblemSummary form={removal} labels={LABELS} />
          <PasswordField form={removal} user={user} />
          <CodeField form={removal} hint={CODE_HINT} />
          <Button kind="danger">Turn off two-factor sign-in</Button>
        </Form>
      </Section>
    </AccountFrame>
  );
}

function PasswordField({ form, user }: { form: FormInput; user: User }) {
  return (
    <>
      <input type="hidden" autocomplete="username" value={user.email} />
      <TextField
        form={form}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
      />
    </>
  );
}

function CodeField({ form, hint }: { form: FormInput; hint?: string }) {
  return (
    <TextField form={form} name="code" label="Code" hint={hint} autoComplete="one-time-code" required short />
  );
}
