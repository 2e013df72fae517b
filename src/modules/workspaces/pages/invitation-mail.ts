import type { Mail } from '../../../kernel/mailer';
import type { InvitationOffer } from '../application/members';
import { ROLE_NAMES } from './role-names';

interface Context {
  link: string;
  /** E-mail address of the one who invites. */
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

Accept here within seven days; the link works once:

${link}

If you don't know what this is about, there is nothing to do.
`,
  };
}

/** A name must not look like more of the mail than it is. */
function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ');
}
