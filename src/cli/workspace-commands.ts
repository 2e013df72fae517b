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
  const workspace = program.command('workspace').description('Make and list workspaces');

  workspace
    .command('create')
    .description('Make a workspace with its first owner')
    .requiredOption('--name <name>', 'its name', name)
    .requiredOption('--owner-email <email>', 'who owns it', emailAddress)
    .option('--existing-owner', 'the owner has an account already, and you made sure that it is theirs')
    .option('--time-zone <zone>', 'tz database name', 'UTC')
    .option('--currency <code>', 'ISO 4217 code', 'EUR')
    .option('--json', 'print {"id": …} for machines')
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
        const made = await withApp(async (app, { publicUrl }) => {
          if (!existingOwner) await refuseExistingOwner(app, input.ownerEmail);
          const { id } = await app.get(CreateWorkspace, { strict: false }).execute(input);
          return { id, ownerLink: await firstLink(app, publicUrl, input.ownerEmail) };
        });
        print({ ...made, ...input }, json, () => describeNew(made, input.ownerEmail));
      },
    );

  workspace
    .command('list')
    .description('List all workspaces, oldest first')
    .option('--json', 'print an array for machines')
    .action(async ({ json }: { json?: boolean }) => {
      const all = await withApp((app) => app.get(WorkspaceRepository, { strict: false }).list());
      print(all, json, () =>
        all.length === 0
          ? 'There is no workspace yet. Make one with: npx gala workspace create'
          : table(
              ['ID', 'NAME', 'OWNERS', 'TIME ZONE', 'CURRENCY'],
              all.map((each) => [each.id, each.name, each.owners.join(', '), each.timeZone, each.currency]),
            ),
      );
    });
}

/** Null for an owner who has a password already. */
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
    ? `Its owner ${email} chooses a password here, within a week:\n\n  ${ownerLink}\n`
    : `Its owner ${email} signs in with the password they have.`;
  return `Made the workspace ${id}. ${signIn}
Next: npx gala api-key create --workspace ${id} --mode test --name "First key" --scopes leads:read,leads:write`;
}

/** Whoever invites someone can choose the password of the account: an address alone doesn't say whose it is. */
async function refuseExistingOwner(app: INestApplicationContext, email: string): Promise<void> {
  if (!(await app.get(Accounts, { strict: false }).find(email))?.hasPassword) return;
  throw new ValidationFailed({
    field: '--owner-email',
    message: `${email} has an account already; make sure that it is theirs, and add --existing-owner`,
  });
}
