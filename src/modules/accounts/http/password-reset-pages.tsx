import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import type { ResetOffer } from '../application/passwords';

export const PASSWORD_HINT =
  'At least 12 characters. A few words that don’t belong together make a good one.';

export function RequestResetPage({ form, canSendMail }: { form: FormInput; canSendMail: boolean }) {
  return (
    <PageDocument title="Choose a new password" narrow>
      {canSendMail ? (
        <Form action="/password-reset">
          <ProblemSummary form={form} labels={{ email: 'E-mail' }} />
          <TextField
            form={form}
            name="email"
            label="E-mail"
            hint="We send a link to it, with which you choose a new password."
            type="email"
            autoComplete="username"
            required
            autoFocus
          />
          <Button>Send the link</Button>
        </Form>
      ) : (
        <Notice kind="warning" title="This Gala sends no mail">
          Ask whoever runs it for a link. They get one with <code>npx gala user reset-link</code>.
        </Notice>
      )}
      <p>
        <Link to="/sign-in">Back to sign-in</Link>
      </p>
    </PageDocument>
  );
}

export function ResetRequestedPage({ email }: { email: string }) {
  return (
    <PageDocument title="Check your mail" narrow>
      <p>
        If there is an account for <strong>{email}</strong>, a link is on its way to it. It works once, within
        an hour. Nothing there? Look among the spam, and check the spelling.
      </p>
      <ButtonLink to="/sign-in" kind="secondary">
        Back to sign-in
      </ButtonLink>
    </PageDocument>
  );
}

export function ResetPage({ form, action, offer }: { form: FormInput; action: Path; offer: ResetOffer }) {
  const { email } = offer.user;
  return (
    <PageDocument title="Choose a new password" intro={`For ${email}. Every browser is signed out.`} narrow>
      {offer.removesSecondFactor && (
        <Notice kind="warning" title="Two-factor sign-in will be turned off">
          Nobody had confirmed this address before, so it may have been set up by someone else. You can set it
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
        <Button>Save the password</Button>
      </Form>
    </PageDocument>
  );
}

export function DeadLinkPage() {
  return (
    <PageDocument title="This link no longer works" narrow>
      <p>It was used already, was replaced by a newer one, or has expired. Ask for a new one.</p>
      <ButtonLink to="/password-reset">Get a new link</ButtonLink>
    </PageDocument>
  );
}
