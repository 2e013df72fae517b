import type { Mail } from '../../../kernel/mailer';
import type { User } from '../domain/user';

export function resetMail({ email }: Pick<User, 'email'>, link: string): Mail {
  return {
    to: email,
    subject: 'Choose a new password for Gala',
    text: `We received a request for a new password for ${email}.

Choose a new password within an hour. The link works once:

${link}

If you didn't ask for this, ignore this email. Your password stays the same.
`,
  };
}

export function passwordChangedMail({ email }: User, { removedSecondFactor = false } = {}): Mail {
  const also = removedSecondFactor ? ', two-factor sign-in was turned off' : '';
  return {
    to: email,
    subject: 'Your Gala password was changed',
    text: `The password for ${email} was just changed${also}, and other browsers were signed out.

If this wasn't you, choose a new password immediately with "Forgot your password?" on the sign-in page, and tell an owner of your workspace.
`,
  };
}

const SECOND_FACTOR_CHANGES = {
  'turned on': {
    subject: 'Two-factor sign-in for Gala was turned on',
    event: (email: string) => `Two-factor sign-in for ${email} was just turned on`,
  },
  'turned off': {
    subject: 'Two-factor sign-in for Gala was turned off',
    event: (email: string) => `Two-factor sign-in for ${email} was just turned off`,
  },
  'given new recovery codes': {
    subject: 'New recovery codes for Gala were created',
    event: (email: string) => `New recovery codes for ${email} were just created`,
  },
};

export function secondFactorMail({ email }: User, change: keyof typeof SECOND_FACTOR_CHANGES): Mail {
  const { subject, event } = SECOND_FACTOR_CHANGES[change];
  return {
    to: email,
    subject,
    text: `${event(email)}, and other browsers were signed out.

If this wasn't you, someone knows your password. Choose a new one immediately with "Forgot your password?" on the sign-in page, and ask the server administrator to reset two-factor sign-in.
`,
  };
}
