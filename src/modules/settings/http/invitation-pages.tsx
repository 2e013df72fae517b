import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { AccountHeader, PASSWORD_HINT } from '../../accounts';
import type { InvitationOffer } from '../../workspaces';
import { ROLE_NAMES } from './role-names';

interface InvitationPageProps {
  token: string;
  offer: InvitationOffer;
  form: FormInput;
  choosesPassword: boolean;
}

export function InvitationPage({ token, offer, form, choosesPassword }: InvitationPageProps) {
  const { workspaceName, email, role, inviterEmail } = offer;
  return (
    <PageDocument
      title={`Join ${workspaceName}`}
      intro={`${inviterEmail} invites you, ${email}, as ${ROLE_NAMES[role].toLowerCase()}.`}
      narrow
    >
      <Form action={`/invitations/${encodeURIComponent(token)}`}>
        <ProblemSummary form={form} labels={{ password: 'Password' }} />
        {choosesPassword && (
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
        <Button>Join</Button>
      </Form>
    </PageDocument>
  );
}

export function OtherAccountPage({ offer, email }: { offer: InvitationOffer; email: string }) {
  return (
    <PageDocument title="This invitation is for someone else" header={<AccountHeader email={email} />} narrow>
      <p>
        It was sent to <strong>{offer.email}</strong>, and you are signed in as <strong>{email}</strong>. Sign
        out, and open the link again.
      </p>
      <ButtonLink to="/settings" kind="secondary">
        To your settings
      </ButtonLink>
    </PageDocument>
  );
}

export function DeadInvitationPage() {
  return (
    <PageDocument title="This invitation no longer works" narrow>
      <p>
        It was used already, was cancelled or replaced, or has expired. Ask whoever invited you for a new one.
      </p>
      <ButtonLink to="/sign-in" kind="secondary">
        Sign in
      </ButtonLink>
    </PageDocument>
  );
}
