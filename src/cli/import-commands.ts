import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { OPERATOR } from '../kernel/actor';
import { NotFound, ValidationFailed } from '../kernel/errors';
import type { WorkspaceId } from '../kernel/ids';
import { type Mode, MODES } from '../kernel/principal';
import {
  DATE_FORMATS,
  DELIMITERS,
  ENCODINGS,
  failedRowsText,
  type ImportOptions,
  ImportQueries,
  type ImportView,
  MATCH_BY,
  ON_EMPTY,
  ON_EXISTING,
  ON_MULTIPLE,
  RunImport,
} from '../modules/imports';
import { WorkspaceRepository } from '../modules/workspaces';
import { workspaceId } from './arguments';
import { withApp } from './context';
import { print, visible } from './output';

const CHUNK_BYTES = 256 * 1024;

interface ImportArguments extends Pick<ImportOptions, 'matchBy' | 'onExisting' | 'onMultiple' | 'onEmpty'> {
  workspace: WorkspaceId;
  mode: Mode;
  encoding?: ImportOptions['encoding'];
  delimiter?: string;
  dateFormat?: ImportOptions['dateFormat'];
  map?: [column: string, field: string][];
  default?: [field: string, value: string][];
  failed?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function addImportCommands(program: Command): void {
  const choice = (flags: string, description: string, values: readonly string[]) =>
    new Option(flags, description).choices([...values]);
  program
    .command('import')
    .description('Import data from files')
    .command('leads')
    .argument('<file>', 'with a line of headers', readableFile)
    .description(
      'Import leads from a CSV file. Rows with a problem fail alone; the status is then 1. After an interruption, the service or the next command goes on',
    )
    .requiredOption('--workspace <id>', 'the workspace', workspaceId)
    .addOption(choice('--mode <mode>', 'live data, or the sandbox’s', MODES).makeOptionMandatory())
    .addOption(
      choice('--match-by <field>', 'how a row finds the lead that it changes', MATCH_BY).default('none'),
    )
    .addOption(
      choice('--on-existing <how>', 'which fields of that lead to write', ON_EXISTING).default('overwrite'),
    )
    .addOption(choice('--on-multiple <how>', 'if several leads match', ON_MULTIPLE).default('refuse'))
    .addOption(choice('--on-empty <how>', 'what an empty cell does to that lead', ON_EMPTY).default('keep'))
    .addOption(choice('--encoding <name>', 'of the file, unless it is UTF-8', ENCODINGS))
    .addOption(
      choice('--delimiter <text>', 'between cells, instead of the likeliest', [...named(), ...DELIMITERS]),
    )
    .addOption(choice('--date-format <format>', 'of dates such as 05/06/2027', DATE_FORMATS))
    .option(
      '--map <column=field>',
      'a column and its field, instead of what the headers say; repeatable',
      pair,
    )
    .option(
      '--default <field=value>',
      'a field of leads that are created, where their cell is empty; repeatable',
      pair,
    )
    .option('--failed <file>', 'write the rows that failed to that file')
    .option('--dry-run', 'check the file, and import nothing')
    .option('--json', 'print the import as JSON')
    .action(importLeads);
}

const named = () => ['tab'];

function readableFile(path: string): string {
  try {
    if (!statSync(path).isDirectory()) return path;
  } catch (error) {
    throw new InvalidArgumentError(`It can’t be read: ${(error as Error).message}.`);
  }
  throw new InvalidArgumentError('It is a folder.');
}

async function importLeads(file: string, given: ImportArguments): Promise<void> {
  const { workspace, mode, json, dryRun, failed } = given;
  const ref = { workspaceId: workspace, mode };
  const show = progressFor(json);
  const state = await withApp(async (app) => {
    if (!(await app.get(WorkspaceRepository, { strict: false }).find(workspace)))
      throw new NotFound('workspace');
    const run = app.get(RunImport, { strict: false });
    const stream = createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
    show('Checking the file …');
    const checked = await run.check(ref, OPERATOR, optionsOf(given), stream);
    if (checked.status !== 'ready' || dryRun) {
      await run.cancel(ref, checked.id);
      return checked;
    }
    const onProgress = ({ processed, rows }: ImportView) => show(`${processed} of ${rows} rows`);
    const done = await run.start(ref, checked.id, onProgress).catch(async (error: unknown) => {
      if (error instanceof ValidationFailed) await run.cancel(ref, checked.id);
      throw error;
    });
    if (failed && done.failed > 0) {
      const rows = await app.get(ImportQueries, { strict: false }).failedRows(ref, checked.id);
      await pipeline(failedRowsText(rows), createWriteStream(failed));
    }
    return done;
  }).finally(() => show(''));
  print(state, json, () => describe(state, failed));
  if (state.status === 'failed' || (!dryRun && state.failed > 0)) process.exitCode = 1;
}

function optionsOf(given: ImportArguments): Partial<ImportOptions> {
  const { matchBy, onExisting, onMultiple, onEmpty, encoding = null, dateFormat = null } = given;
  const delimiter = given.delimiter === 'tab' ? '\t' : (given.delimiter ?? null);
  return {
    ...{ matchBy, onExisting, onMultiple, onEmpty, encoding, dateFormat },
    delimiter: delimiter as ImportOptions['delimiter'],
    mapping: given.map?.map(([column, field]) => ({ column, field })) ?? null,
    defaults: Object.fromEntries(
      (given.default ?? []).map(([field, value]) => [field, valueOf(field, value)]),
    ),
  };
}

function valueOf(field: string, text: string): unknown {
  if (field === 'guests') return Number(text);
  return field === 'tags' ? text.split(',').map((tag) => tag.trim()) : text;
}

function pair(text: string, earlier: [string, string][] = []): [string, string][] {
  const [, name, value] = /^(.+)=(.*)$/s.exec(text) ?? [];
  if (!name || !value) throw new InvalidArgumentError('It must have the form name=value.');
  return [...earlier, [name, value]];
}

/** Shows in one line of a terminal how far a command is. Programs that read JSON, and files, get nothing. */
function progressFor(json: boolean | undefined): (text: string) => void {
  const isShown = process.stderr.isTTY && !json;
  return (text) => {
    if (isShown) process.stderr.write(`\r\u001b[K${text}`);
  };
}

function describe(state: ImportView, failedFile: string | undefined): string {
  const { id, status, failure, created, updated, unchanged, failed, problems } = state;
  const reasons = problems
    .slice(0, 10)
    .map(({ field, message, count, lines }) => `  ${count} × ${field} ${message} (line ${lines.join(', ')})`);
  const why = reasons.length > 0 ? `\n${visible(reasons.join('\n')).replaceAll('\\u000a', '\n')}` : '';
  if (failure) {
    const line = failure.line === null ? '' : `Line ${failure.line}: `;
    return `${line}${visible(failure.message)}.`;
  }
  if (status !== 'completed') {
    return `${state.rows} rows: ${state.willCreate} to create, ${state.willUpdate} to update, ${state.willFail} with problems.${why}`;
  }
  const rest = failedFile && failed > 0 ? `\nThe rows that failed are in ${failedFile}.` : '';
  return `Import ${id}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed.${why}${rest}`;
}
