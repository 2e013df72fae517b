import type { Command } from 'commander';
import { Accounts } from '../modules/accounts';
import { addressOf } from '../platform/config/public-address';
import { emailAddress } from './arguments';
import { withApp } from './context';
import { print } from './output';

interface Options {
  email: string;
  json?: boolean;
}

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('Help people who can’t sign in');

  user
    .command('reset-link')
    .description('Make a link with which someone chooses a new password; it works once, for a week')
    .requiredOption('--email <email>', 'who it is for', emailAddress)
    .option('--json', 'print {"link": …} for machines')
    .action(async ({ email, json }: Options) => {
      const link = await withApp(async (app, { publicUrl }) =>
        passwordLink(publicUrl, await app.get(Accounts, { strict: false }).openPasswordReset(email)),
      );
      print({ link }, json, () => `Hand this to ${email}, and to nobody else:\n\n  ${link}\n`);
    });

  user
    .command('reset-two-factor')
    .description('Turn two-factor sign-in off for someone who lost their app and their recovery codes')
    .requiredOption('--email <email>', 'whose', emailAddress)
    .option('--json', 'print {"email": …} for machines')
    .action(async ({ email, json }: Options) => {
      await withApp((app) => app.get(Accounts, { strict: false }).removeSecondFactor(email));
      print({ email }, json, () => `${email} signs in with the password alone now.`);
    });
}

/** Where someone with the token chooses a password. */
export function passwordLink(publicUrl: URL, token: string): string {
  return addressOf(publicUrl, `/password-reset/${token}`);
}
