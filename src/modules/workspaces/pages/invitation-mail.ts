import type { Mail } from '../../../kernel/mailer';
import type { InvitationOffer } from '../application/members';
import { ROLE_NAMES } from './role-names';

interface Context {
  link: string;
  /** Email address of the inviter. */
  inviter: string;
  workspace: string;
}

export function invitationMail(
  { email, role }: Pick<InvitationOffer, 'email' | 'role'>,
  { link, inviter, workspace }: Context,
): Mail {
  return {
    to: email,
    subject: `${oneLine(workspace)} invites you to Gala`,
    text: `${inviter} invites you to the workspace "${oneLine(workspace)}" on Gala, as ${ROLE_NAMES[role].toLowerCase()}.

Accept the invitation within seven days. The link works once:

${link}

If you weren't expecting this invitation, you can ignore this email.
`,
  };
}

/** Keeps a name with line breaks from passing for text of the email. */
function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ');
}
