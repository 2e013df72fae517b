import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { NotFound } from '../kernel/errors';
import type { WorkspaceId } from '../kernel/ids';
import { type Mode, MODES } from '../kernel/principal';
import { LeadQueries } from '../modules/leads';
import { WorkspaceRepository } from '../modules/workspaces';
import { EXPORT_FORMATS, type ExportFormat, exportParts } from '../platform/exports/export-format';
import { Exports } from '../platform/exports/exports';
import { workspaceId } from './arguments';
import { withApp } from './context';

const ARCHIVED = ['false', 'true', 'all'] as const;

interface ExportOptions {
  workspace: WorkspaceId;
  mode: Mode;
  format: ExportFormat;
  columns?: string;
  archived: (typeof ARCHIVED)[number];
}

export function addExportCommands(program: Command): void {
  program
    .command('export')
    .description('Write lists as files to the standard output')
    .command('leads')
    .description(
      'Write all leads of a workspace, the newest first; a status other than 0 means that some are missing',
    )
    .addOption(
      new Option('--workspace <id>', 'the workspace’s id').argParser(workspaceId).makeOptionMandatory(),
    )
    .addOption(new Option('--mode <mode>', 'live data or the sandbox').choices(MODES).makeOptionMandatory())
    .addOption(new Option('--format <format>', 'CSV, or JSON Lines').choices(EXPORT_FORMATS).default('csv'))
    .option('--columns <names>', 'the columns and their order, separated by commas; by default all')
    .addOption(
      new Option('--archived <which>', 'true: archived leads alone; all: both')
        .choices(ARCHIVED)
        .default('false'),
    )
    .action(async ({ workspace, mode, format, columns, archived }: ExportOptions) => {
      await withApp(async (app) => {
        if (!(await app.get(WorkspaceRepository, { strict: false }).find(workspace)))
          throw new NotFound('workspace');
        const ref = { workspaceId: workspace, mode };
        const text = await app.get(Exports, { strict: false }).text('leads', ref, { format, columns });
        const leads = app.get(LeadQueries, { strict: false }).all(ref, { archived });
        await pipeline(Readable.from(whole(exportParts(text, leads))), process.stdout, { end: false });
      });
    });
}

/** The parts that a generator yields, and the one that it returns. */
async function* whole(parts: AsyncGenerator<string, string>): AsyncGenerator<string, void> {
  yield yield* parts;
}
