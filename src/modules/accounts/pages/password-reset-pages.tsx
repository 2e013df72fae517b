import type { MailReach } from '../../../kernel/mailer';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import type { ResetOffer } from '../application/passwords';

export const PASSWORD_HINT = 'At least 12 characters. A few unrelated words make a good password.';

export function RequestResetPage({ form, mailReach }: { form: FormInput; mailReach: MailReach }) {
  return (
    <PageDocument title="Choose a new password" narrow>
      {mailReach === 'nowhere' ? (
        <Notice kind="warning" title="This server sends no email">
          Ask the server administrator for a link. They create one with{' '}
          <code>npx gala user reset-link --email</code> and your address.
        </Notice>
      ) : (
        <Form action="/password-reset">
          <ProblemSummary form={form} labels={{ email: 'Email' }} />
          <TextField
            form={form}
            name="email"
            label="Email"
            hint={
              mailReach === 'console'
                ? 'No mail server is set up, so the link is printed in the terminal where Gala runs.'
                : 'We email you a link to choose a new password.'
            }
            type="email"
            autoComplete="username"
            required
            autoFocus
          />
          <Button>{mailReach === 'console' ? 'Print the link' : 'Send the link'}</Button>
        </Form>
      )}
      <p>
        <Link to="/sign-in">Back to sign-in</Link>
      </p>
    </PageDocument>
  );
}

export function ResetRequestedPage({ email, mailReach }: { email: string; mailReach: MailReach }) {
  return (
    <PageDocument title={mailReach === 'console' ? 'Check the terminal' : 'Check your email'} narrow>
      {mailReach === 'console' ? (
        <p>
          No mail server is set up. If there is an account for <strong>{email}</strong>, the link is printed
          in the terminal where Gala runs, or in its log. It works once, within an hour.
        </p>
      ) : (
        <p>
          If there is an account for <strong>{email}</strong>, we sent a link to that address. It works once,
          within an hour. No email? Check your spam folder and the spelling of the address.
        </p>
      )}
      <ButtonLink to="/sign-in" kind="secondary">
        Back to sign-in
      </ButtonLink>
    </PageDocument>
  );
}

export function ResetPage({ form, action, offer }: { form: FormInput; action: Path; offer: ResetOffer }) {
  const { email } = offer.user;
  return (
    <PageDocument
      title="Choose a new password"
      intro={`For ${email}. All browsers will be signed out.`}
      narrow
    >
      {offer.removesSecondFactor && (
        <Notice kind="warning" title="Two-factor sign-in will be turned off">
          This address was never confirmed, so someone else may have set up two-factor sign-in. You can set it
          up again once you are signed in.
        </Notice>
      )}
      <Form action={action}>
        <ProblemSummary form={form} labels={{ password: 'New password' }} />
        <input type="hidden" autocomplete="username" value={email} />
        <TextField
          form={form}
          name="password"
          label="New password"
          hint={PASSWORD_HINT}
          type="password"
          autoComplete="new-password"
          required
          autoFocus
        />
        <Button>Save password</Button>
      </Form>
    </PageDocument>
  );
}

export function DeadLinkPage() {
  return (
    <PageDocument title="This link no longer works" narrow>
      <p>It was already used or replaced by a newer one, or it has expired.</p>
      <ButtonLink to="/password-reset">Get a new link</ButtonLink>
    </PageDocument>
  );
}
