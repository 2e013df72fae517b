import { type Command, InvalidArgumentError, Option } from 'commander';
import type { WorkspaceId } from '../kernel/ids';
import { type Mode, MODES } from '../kernel/principal';
import { isTimeZone } from '../kernel/time-zone';
import {
  BASES,
  FUNNEL_BASES,
  type FunnelBasis,
  type GroupBy,
  GROUPS,
  type Interval,
  INTERVALS,
  type OutcomeBasis,
  ReportQueries,
  RESPONSE_GROUPS,
} from '../modules/reports';
import { plannableDate } from '../platform/http/field-rules';
import { workspaceId } from './arguments';
import { withApp } from './context';
import { print, table } from './output';

interface PeriodOptions {
  workspace: WorkspaceId;
  mode: Mode;
  from: string;
  to: string;
  timeZone?: string;
  source?: string;
  tag?: string;
  json?: boolean;
}

type IntervalOptions = PeriodOptions & { interval: Interval; groupBy: GroupBy };

export function addReportCommands(program: Command): void {
  const report = program
    .command('report')
    .description('Print figures of leads, as /v1/reports/… answers them');

  ofIntervals(report.command('responses').description('How soon leads got their first response'))
    .addOption(choice('--group-by <field>', 'a row for each', RESPONSE_GROUPS))
    .action(async (options: IntervalOptions) => {
      const found = await read(options, (reports, ref) => reports.responses(ref, inputOf(options)));
      print(found, options.json, () =>
        table(
          ['FROM', 'TO', 'GROUP', 'LEADS', 'EXCLUDED', 'ANSWERED', 'WAITING', 'MEDIAN SECONDS'],
          found.rows.map(({ leads, excluded, answered, waiting, medianSeconds, ...row }) =>
            cellsOf(row, [leads, excluded, answered, waiting, medianSeconds]),
          ),
        ),
      );
    });

  ofPeriod(report.command('funnel').description('How leads go from stage to stage'))
    .addOption(
      choice('--basis <basis>', 'leads that were created, or stays that began, in the period', FUNNEL_BASES),
    )
    .action(async (options: PeriodOptions & { basis: FunnelBasis }) => {
      const found = await read(options, (reports, ref) =>
        reports.funnel(ref, periodOf(options), options.basis),
      );
      print(found, options.json, () =>
        table(
          ['STAGE', 'ENTERED', 'ADVANCED', 'WENT BACK', 'LOST', 'STILL', 'MEDIAN SECONDS'],
          found.stages.map(({ stage, entered, advanced, wentBack, lost, still, medianSeconds }) =>
            texts([stage, entered, advanced, wentBack, lost, still, medianSeconds]),
          ),
        ),
      );
    });

  ofIntervals(report.command('outcomes').description('Won, lost and open leads'))
    .addOption(choice('--group-by <field>', 'a row for each', GROUPS))
    .addOption(choice('--basis <basis>', 'leads that were won or lost, or created, in the period', BASES))
    .action(async (options: IntervalOptions & { basis: OutcomeBasis }) => {
      const found = await read(options, (reports, ref) =>
        reports.outcomes(ref, inputOf(options), options.basis),
      );
      print(found, options.json, () =>
        table(
          ['FROM', 'TO', 'GROUP', 'CREATED', 'WON', 'LOST', 'OPEN', 'DAYS TO WIN'],
          found.rows.map(({ created, won, lost, open, daysToWin, ...row }) =>
            cellsOf(row, [created, won, lost, open, daysToWin]),
          ),
        ),
      );
    });
}

function ofPeriod(command: Command): Command {
  return command
    .addOption(
      new Option('--workspace <id>', 'the workspace’s id').argParser(workspaceId).makeOptionMandatory(),
    )
    .addOption(new Option('--mode <mode>', 'live data or the sandbox').choices(MODES).makeOptionMandatory())
    .requiredOption('--from <day>', 'the first day, such as 2027-01-01', day)
    .requiredOption('--to <day>', 'the last day, which is included', day)
    .option('--time-zone <zone>', 'of the days; by default the workspace’s', zone)
    .option('--source <source>', 'leads from that source, ignoring case')
    .option('--tag <tag>', 'leads that have that tag, ignoring case')
    .option('--json', 'print JSON, as the API answers it');
}

function ofIntervals(command: Command): Command {
  return ofPeriod(command).addOption(choice('--interval <interval>', 'a row for each', INTERVALS));
}

/** The first value is the default. */
const choice = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values).default(values[0]);

function day(text: string): string {
  const problem = plannableDate(text);
  if (problem) throw new InvalidArgumentError(`It ${problem}.`);
  return text;
}

function zone(text: string): string {
  if (!isTimeZone(text))
    throw new InvalidArgumentError('It must be a tz database name such as Europe/Madrid.');
  return text;
}

/** @throws NotFound for an unknown workspace */
function read<Result>(
  { workspace, mode }: PeriodOptions,
  report: (reports: ReportQueries, ref: { workspaceId: WorkspaceId; mode: Mode }) => Promise<Result>,
): Promise<Result> {
  return withApp((app) =>
    report(app.get(ReportQueries, { strict: false }), { workspaceId: workspace, mode }),
  );
}

function periodOf({ from, to, timeZone, source, tag }: PeriodOptions) {
  return { from, to, timeZone, source, tag };
}

function inputOf({ interval, groupBy, ...options }: IntervalOptions) {
  return { ...periodOf(options), interval, groupBy };
}

type Cell = string | number | null;

function cellsOf(
  { from, to, key, isOther }: { from: string; to: string; key: string | null; isOther: boolean },
  values: readonly Cell[],
): string[] {
  return texts([from, to, isOther ? 'all others' : key, ...values]);
}

const texts = (cells: readonly Cell[]): string[] => cells.map((cell) => String(cell ?? '–'));
