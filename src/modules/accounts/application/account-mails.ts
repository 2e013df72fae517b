import type { Mail } from '../../../kernel/mailer';
import type { User } from '../domain/user';

export function resetMail({ email }: User, link: string): Mail {
  return {
    to: email,
    subject: 'Choose a new password for Gala',
    text: `Someone, most likely you, asked for a new password for ${email}.

Choose it here within an hour; the link works once:

${link}

If it wasn't you, there is nothing to do: your password stays as it is.
`,
  };
}

export function passwordChangedMail({ email }: User, { removedSecondFactor = false } = {}): Mail {
  const also = removedSecondFactor ? ', two-factor sign-in was turned off' : '';
  return {
    to: email,
    subject: 'Your password for Gala was changed',
    text: `The password of ${email} was changed just now${also}, and other browsers were signed out.

If it wasn't you, choose a new one with "Forgot your password?" on the sign-in page at once, and tell an owner of your workspace.
`,
  };
}

const SECOND_FACTOR_CHANGES = {
  'turned on': 'Two-factor sign-in for Gala was turned on',
  'turned off': 'Two-factor sign-in for Gala was turned off',
  'given new recovery codes': 'New recovery codes for Gala were made',
};

export function secondFactorMail({ email }: User, change: keyof typeof SECOND_FACTOR_CHANGES): Mail {
  return {
    to: email,
    subject: SECOND_FACTOR_CHANGES[change],
    text: `Two-factor sign-in of ${email} was ${change} just now, and other browsers were signed out.

If it wasn't you, someone knows your password: choose a new one with "Forgot your password?" on the sign-in page at once, and ask the server administrator to reset two-factor sign-in.
`,
  };
}
