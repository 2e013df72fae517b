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
    .description('Create a link for choosing a new password; it works once, within a week')
    .requiredOption('--email <email>', 'the user’s email address', emailAddress)
    .option('--json', 'print JSON: {"link": …}')
    .action(async ({ email, json }: Options) => {
      const link = await withApp(async (app, { publicUrl }) =>
        passwordLink(publicUrl, await app.get(Accounts, { strict: false }).openPasswordReset(email)),
      );
      print({ link }, json, () => `Give this link only to ${email}:\n\n  ${link}\n`);
    });

  user
    .command('reset-two-factor')
    .description('Turn off two-factor sign-in for a user who lost their authenticator app and recovery codes')
    .requiredOption('--email <email>', 'the user’s email address', emailAddress)
    .option('--json', 'print JSON: {"email": …}')
    .action(async ({ email, json }: Options) => {
      await withApp((app) => app.get(Accounts, { strict: false }).removeSecondFactor(email));
      print({ email }, json, () => `${email} now signs in with only a password.`);
    });
}

/** The page on which the holder of the token chooses a password. */
export function passwordLink(publicUrl: URL, token: string): string {
  return addressOf(publicUrl, `/password-reset/${token}`);
}
