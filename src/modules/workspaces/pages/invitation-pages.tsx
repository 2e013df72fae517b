import type { MailReach } from '../../../kernel/mailer';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import type { Path } from '../../../platform/pages/components/link';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { AccountHeader, PASSWORD_HINT } from '../../accounts';
import type { InvitationOffer } from '../application/members';
import { ROLE_NAMES } from './role-names';

interface InvitationPageProps {
  /** The address of the invitation. */
  path: Path;
  offer: InvitationOffer;
  form: FormInput;
  /** The visitor's next step. Someone new who came by a link that wasn't emailed first confirms their address. */
  step: 'confirmEmail' | 'choosePassword' | 'join';
  mailReach: MailReach;
}

export function InvitationPage({ path, offer, form, step, mailReach }: InvitationPageProps) {
  const { workspaceName, email, role, inviterEmail } = offer;
  const confirmLabel = mailReach === 'console' ? 'Print the link' : 'Email me the link';
  return (
    <PageDocument
      title={`Join ${workspaceName}`}
      intro={`${inviterEmail} invites you, ${email}, as ${ROLE_NAMES[role].toLowerCase()}.`}
      narrow
    >
      <Form action={path}>
        <ProblemSummary form={form} labels={{ password: 'Password' }} />
        {step === 'confirmEmail' && (
          <p>
            You are new here.{' '}
            {mailReach === 'console'
              ? 'No mail server is set up, so the link to choose a password is printed in the terminal where Gala runs.'
              : 'To confirm that this address is yours, we email you a link to choose a password.'}
          </p>
        )}
        {step === 'choosePassword' && (
          <>
            <input type="hidden" autocomplete="username" value={email} />
            <TextField
              form={form}
              name="password"
              label="Password"
              hint={`You will sign in with it. ${PASSWORD_HINT}`}
              type="password"
              autoComplete="new-password"
              required
              autoFocus
            />
          </>
        )}
        <Button>{step === 'confirmEmail' ? confirmLabel : 'Join'}</Button>
      </Form>
    </PageDocument>
  );
}

export function ConfirmationSentPage({ offer, mailReach }: { offer: InvitationOffer; mailReach: MailReach }) {
  if (mailReach === 'console')
    return (
      <PageDocument title="Check the terminal" narrow>
        <p>
          No mail server is set up. The link for <strong>{offer.email}</strong> is printed in the terminal
          where Gala runs, or in its log. Open it to choose a password and join {offer.workspaceName}.
        </p>
      </PageDocument>
    );
  return (
    <PageDocument title="Check your email" narrow>
      <p>
        We sent a link to <strong>{offer.email}</strong>. Open it to choose a password and join{' '}
        {offer.workspaceName}. No email? Check your spam folder.
      </p>
    </PageDocument>
  );
}

export function OtherAccountPage({ offer, email }: { offer: InvitationOffer; email: string }) {
  return (
    <PageDocument title="This invitation is for someone else" header={<AccountHeader email={email} />} narrow>
      <p>
        It was sent to <strong>{offer.email}</strong>, but you are signed in as <strong>{email}</strong>. Sign
        out and open the link again.
      </p>
      <ButtonLink to="/settings" kind="secondary">
        Back to settings
      </ButtonLink>
    </PageDocument>
  );
}

export function DeadInvitationPage() {
  return (
    <PageDocument title="This invitation no longer works" narrow>
      <p>
        It was already used, cancelled or replaced, or it has expired. Ask the person who invited you for a
        new one.
      </p>
      <ButtonLink to="/sign-in" kind="secondary">
        Sign in
      </ButtonLink>
    </PageDocument>
  );
}
