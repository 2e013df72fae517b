import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ValidationFailed } from '../kernel/errors';
import { Accounts } from '../modules/accounts';
import { CreateWorkspace, WorkspaceRepository } from '../modules/workspaces';
import { emailAddress, name } from './arguments';
import { withApp } from './context';
import { print, table } from './output';
import { passwordLink } from './user-commands';

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('Create and list workspaces');

  workspace
    .command('create')
    .description('Create a workspace with its first owner')
    .requiredOption('--name <name>', 'its name', name)
    .requiredOption('--owner-email <email>', 'the owner’s email address', emailAddress)
    .option('--existing-owner', 'the owner already has an account, and you verified that it is theirs')
    .option('--time-zone <zone>', 'its time zone, a tz database name', 'UTC')
    .option('--currency <code>', 'its currency, an ISO 4217 code', 'EUR')
    .option('--json', 'print JSON: {"id": …}')
    .action(
      async (options: {
        name: string;
        ownerEmail: string;
        timeZone: string;
        currency: string;
        existingOwner?: boolean;
        json?: boolean;
      }) => {
        const { json, existingOwner, ...input } = options;
        const created = await withApp(async (app, { publicUrl }) => {
          if (!existingOwner) await refuseExistingOwner(app, input.ownerEmail);
          const { id } = await app.get(CreateWorkspace, { strict: false }).execute(input);
          return { id, ownerLink: await firstLink(app, publicUrl, input.ownerEmail) };
        });
        print({ ...created, ...input }, json, () => describeNew(created, input.ownerEmail));
      },
    );

  workspace
    .command('list')
    .description('List all workspaces, oldest first')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const all = await withApp((app) => app.get(WorkspaceRepository, { strict: false }).list());
      print(all, json, () =>
        all.length === 0
          ? 'There are no workspaces yet. Create one with: npx gala workspace create'
          : table(
              ['ID', 'NAME', 'OWNERS', 'TIME ZONE', 'CURRENCY'],
              all.map((each) => [each.id, each.name, each.owners.join(', '), each.timeZone, each.currency]),
            ),
      );
    });
}

/** The link with which the owner chooses a password; null if they already have one. */
async function firstLink(
  app: INestApplicationContext,
  publicUrl: URL,
  email: string,
): Promise<string | null> {
  const accounts = app.get(Accounts, { strict: false });
  const hasPassword = (await accounts.find(email))?.hasPassword;
  return hasPassword ? null : passwordLink(publicUrl, await accounts.openPasswordReset(email));
}

function describeNew({ id, ownerLink }: { id: string; ownerLink: string | null }, email: string): string {
  const signIn = ownerLink
    ? `Its owner ${email} can choose a password here within a week:\n\n  ${ownerLink}\n`
    : `Its owner ${email} signs in with their existing password.`;
  return `Created the workspace ${id}. ${signIn}
Next: npx gala api-key create --workspace ${id} --mode test --name "First key" --scopes leads:read,leads:write`;
}

/** An inviter can choose a new account's password, so an address alone doesn't prove who owns the account. */
async function refuseExistingOwner(app: INestApplicationContext, email: string): Promise<void> {
  if (!(await app.get(Accounts, { strict: false }).find(email))?.hasPassword) return;
  throw new ValidationFailed({
    field: '--owner-email',
    message: `${email} already has an account; verify that it is theirs, and add --existing-owner`,
  });
}
