import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';

const NOTICES = new Map([
  ['signed-out', 'You are signed out.'],
  ['signed-out-everywhere', 'You are signed out in every browser.'],
  ['password-reset', 'Your password was changed. Sign in with the new one.'],
  ['too-late', 'That took too long. Start over.'],
]);

interface SignInPageProps {
  form: FormInput;
  /** Confirms what just happened. */
  notice?: string;
}

export function SignInPage({ form, notice = '' }: SignInPageProps) {
  const returnTo = form.value('return');
  return (
    <PageDocument title="Sign in" narrow>
      {NOTICES.has(notice) && <Notice kind="success">{NOTICES.get(notice)}</Notice>}
      <Form action="/sign-in">
        <ProblemSummary form={form} labels={{ email: 'Email', password: 'Password' }} />
        {returnTo && <input type="hidden" name="return" value={returnTo} />}
        <TextField
          form={form}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <TextField
          form={form}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Button>Sign in</Button>
      </Form>
      <p>
        <Link to="/password-reset">Forgot your password?</Link>
      </p>
    </PageDocument>
  );
}

export function SecondFactorPage({ form }: { form: FormInput }) {
  const returnTo = form.value('return');
  return (
    <PageDocument
      title="Enter your code"
      intro="Open your authenticator app and enter the 6-digit code it shows for Gala. Without the app, use a recovery code."
      narrow
    >
      <Form action="/sign-in/code">
        <ProblemSummary form={form} labels={{ code: 'Code' }} />
        {returnTo && <input type="hidden" name="return" value={returnTo} />}
        <TextField
          form={form}
          name="code"
          label="Code"
          autoComplete="one-time-code"
          required
          autoFocus
          short
        />
        <Button>Continue</Button>
      </Form>
      <p>
        <Link to="/sign-in">Start over</Link>
      </p>
    </PageDocument>
  );
}
