import { type Command, Option } from 'commander';
import { OPERATOR } from '../kernel/actor';
import { NotFound } from '../kernel/errors';
import type { CalendarEventId, WorkspaceId } from '../kernel/ids';
import { type Mode, MODES } from '../kernel/principal';
import { AdoptHolds, type Adoption, MAX_ADOPTED } from '../modules/holds';
import { WorkspaceRepository } from '../modules/workspaces';
import { calendarEventIds, workspaceId } from './arguments';
import { withApp } from './context';
import { print, table } from './output';

interface AdoptOptions {
  workspace: WorkspaceId;
  mode: Mode;
  dryRun?: boolean;
  json?: boolean;
}

export function addHoldCommands(program: Command): void {
  program
    .command('holds')
    .description('Manage ranked holds')
    .command('adopt')
    .description(
      `Give calendar events of type hold a rank, in the order in which they were created; at most ${MAX_ADOPTED} at once`,
    )
    .addOption(
      new Option('--workspace <id>', 'the workspace’s id').argParser(workspaceId).makeOptionMandatory(),
    )
    .addOption(new Option('--mode <mode>', 'live data or the sandbox').choices(MODES).makeOptionMandatory())
    .argument(
      '[events...]',
      'the ids of calendar events; by default all with a space that are to come',
      calendarEventIds,
    )
    .option('--dry-run', 'show what would happen, and change nothing')
    .option('--json', 'print a JSON array')
    .action(
      async (events: CalendarEventId[], { workspace, mode, dryRun: isTrial = false, json }: AdoptOptions) => {
        const ids = events.length > 0 ? events : undefined;
        const adoptions = await withApp(async (app) => {
          if (!(await app.get(WorkspaceRepository, { strict: false }).find(workspace)))
            throw new NotFound('workspace');
          const ref = { workspaceId: workspace, mode };
          return app.get(AdoptHolds, { strict: false }).execute(ref, OPERATOR, { ids, isTrial });
        });
        print(adoptions, json, () => describe(adoptions, isTrial));
      },
    );
}

function describe(adoptions: readonly Adoption[], isTrial: boolean): string {
  if (adoptions.length === 0) return 'There are no holds without a rank that are to come.';
  const ranked = adoptions.filter(({ refusal }) => refusal === null).length;
  const rows = adoptions.map(({ calendarEventId, title, rank, expiresAt, refusal }) => [
    calendarEventId,
    title,
    rank === null ? '-' : String(rank),
    expiresAt?.toISOString() ?? '-',
    refusal ?? '-',
  ]);
  const done = isTrial ? 'would get a rank. Nothing was changed.' : 'got a rank.';
  return `${table(['EVENT', 'TITLE', 'RANK', 'EXPIRES', 'REFUSED'], rows)}\n\n${ranked} of ${adoptions.length} ${done}`;
}
