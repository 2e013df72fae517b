import type { Command } from 'commander';
import { CreateWorkspace, WorkspaceRepository } from '../modules/workspaces';
import { emailAddress, name } from './arguments';
import { withApp } from './context';
import { print, table } from './output';

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('Make and list workspaces');

  workspace
    .command('create')
    .description('Make a workspace with its first owner')
    .requiredOption('--name <name>', 'its name', name)
    .requiredOption('--owner-email <email>', 'who owns it', emailAddress)
    .option('--time-zone <zone>', 'tz database name', 'UTC')
    .option('--currency <code>', 'ISO 4217 code', 'EUR')
    .option('--json', 'print {"id": …} for machines')
    .action(
      async (options: {
        name: string;
        ownerEmail: string;
        timeZone: string;
        currency: string;
        json?: boolean;
      }) => {
        const { json, ...wish } = options;
        const { id } = await withApp((app) => app.get(CreateWorkspace, { strict: false }).execute(wish));
        print(
          { id, ...wish },
          json,
          () =>
            `Made the workspace ${id}. Next: npx gala api-key create --workspace ${id} --mode test --name "First key" --scopes leads:read,leads:write`,
        );
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
