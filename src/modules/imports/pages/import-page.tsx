import { Button } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions, Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import type { FieldProblem } from '../../../kernel/errors';
import { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import type { RowResult } from '../application/import-rows';
import type { ImportView } from '../domain/import-view';
import type { FileColumn } from '../domain/report';
import { OPTION_LABELS, ReadingFields, WritingFields } from './import-form';
import { importPath, importsPath } from './import-paths';
import { StatusBadge } from './imports-page';

interface ImportPageProps {
  area: Area;
  state: ImportView;
  /** The options, and the field of each column. */
  form: FormInput;
  /** Starting and cancelling. */
  action?: FormInput;
  /** The fields that columns can be mapped to, and their names for people. */
  targets: ReadonlyMap<string, string>;
  failedRows: readonly RowResult[];
}

export function ImportPage(props: ImportPageProps) {
  const { area, state, action = new FormInput(), failedRows, targets } = props;
  const path = importPath(area, state.id);
  const { status, failure, failed } = state;
  const isOpen = !state.startedAt && status !== 'cancelled';
  const isBusy = status === 'checking' || status === 'importing';
  return (
    <SettingsPage
      area={area}
      place=":mode/imports"
      title="Import"
      intro={
        <>
          <StatusBadge status={status} /> <Link to={importsPath(area)}>All imports</Link>
        </>
      }
    >
      {failure && (
        <Notice kind="danger" title="This import failed">
          {failure.line === null ? failure.message : `Line ${failure.line}: ${failure.message}`}
        </Notice>
      )}
      <ProblemSummary form={action} labels={{}} />
      <Counts state={state} />
      {isBusy && (
        <p data-refresh>
          <Link to={path}>Refresh</Link>
        </p>
      )}
      {status === 'ready' && <NextStep {...props} />}
      {status === 'ready' && state.problems.length > 0 && <RowProblems {...props} />}
      {isOpen && status !== 'checking' && <Options {...props} />}
      {status === 'ready' && <Preview {...props} />}
      {failedRows.length > 0 && (
        <Section title="Rows that failed">
          <p>
            <Link to={`${path}/failed.csv`}>Download all {failed} as CSV</Link>, correct them, and import the
            file.
          </p>
          <DataTable
            caption="The first rows that failed"
            hideCaption
            rows={failedRows}
            columns={[
              { title: 'Line', isHeader: true, cell: ({ line }) => line },
              {
                title: 'Problem',
                long: true,
                cell: ({ problems }) => <Problems problems={problems} targets={targets} />,
              },
            ]}
          />
        </Section>
      )}
      {!state.finishedAt && (
        <Form action={`${path}/cancel`} id="cancel" label="Cancel">
          <Button kind="danger">Cancel import</Button>
        </Form>
      )}
    </SettingsPage>
  );
}

function Counts({ state }: { state: ImportView }) {
  const { rows, willCreate, willUpdate, willFail, processed, created, updated, unchanged, failed } = state;
  if (rows === null) return null;
  const items = state.startedAt
    ? {
        Imported: `${processed} of ${rows}`,
        Created: created,
        Updated: updated,
        Unchanged: unchanged,
        Failed: failed,
      }
    : { Rows: rows, 'Will be created': willCreate, 'Will be updated': willUpdate, 'Will fail': willFail };
  return (
    <DescriptionList
      items={Object.entries(items).map(([term, count]) => ({ term, details: String(count) }))}
    />
  );
}

/** The questions that the file leaves open, or else the start. */
function NextStep({ area, state }: ImportPageProps) {
  const { ambiguous, willCreate, willUpdate } = state;
  const count = (willCreate ?? 0) + (willUpdate ?? 0);
  if (ambiguous.length === 0 && count > 0) {
    return (
      <Form action={`${importPath(area, state.id)}/start`} id="start" label="Start">
        <Button>{count === 1 ? 'Import 1 lead' : `Import ${count} leads`}</Button>
      </Form>
    );
  }
  return (
    <>
      {ambiguous.map(({ field, column, options, samples }) => (
        <Notice kind="warning" title={`Choose “${OPTION_LABELS[field]}” below`}>
          Column “{column}”, such as {samples.join(', ')}, can be read as {options.join(' or ')}.
        </Notice>
      ))}
    </>
  );
}

function RowProblems({ state, targets }: ImportPageProps) {
  return (
    <Section title="Problems">
      <DataTable
        caption="Problems of rows"
        hideCaption
        rows={state.problems}
        columns={[
          {
            title: 'Problem',
            isHeader: true,
            cell: (problem) => <Problems problems={[problem]} targets={targets} />,
          },
          { title: 'Rows', numeric: true, cell: (problem) => problem.count },
          { title: 'Lines', cell: ({ lines }) => lines.join(', ') },
        ]}
      />
    </Section>
  );
}

function Preview({ state, targets }: ImportPageProps) {
  return (
    <Section title="Preview" intro="The first rows of the file, as they will be imported.">
      <DataTable
        caption="First rows"
        hideCaption
        rows={state.preview}
        columns={[
          { title: 'Line', isHeader: true, cell: ({ line }) => line },
          { title: 'Result', cell: ({ willBe }) => `Will be ${willBe === 'failed' ? 'skipped' : willBe}` },
          {
            title: 'Lead',
            long: true,
            cell: ({ lead, problems }) =>
              problems.length > 0 ? <Problems problems={problems} targets={targets} /> : summary(lead),
          },
        ]}
      />
    </Section>
  );
}

function Options({ area, state, form, targets }: ImportPageProps) {
  return (
    <Section title="Options" intro="Changes are checked again.">
      <Form action={importPath(area, state.id)} id="options">
        <ProblemSummary form={form} labels={{ ...OPTION_LABELS, ...columnLabels(state.columns) }} />
        {state.columns.length > 0 && (
          <DataTable
            caption="Columns"
            rows={state.columns.map((column, index) => ({ ...column, index }))}
            columns={[
              { title: 'Column', isHeader: true, cell: ({ name }) => name },
              { title: 'Examples', cell: ({ samples }) => samples.join(', ') },
              { title: 'Field', cell: (column) => <Target form={form} column={column} targets={targets} /> },
            ]}
          />
        )}
        <WritingFields form={form} />
        <ReadingFields form={form} />
        <Actions>
          <Button kind="secondary">Save and check again</Button>
        </Actions>
      </Form>
    </Section>
  );
}

interface TargetProps {
  form: FormInput;
  column: FileColumn & { index: number };
  targets: ReadonlyMap<string, string>;
}

function Target({ form, column, targets }: TargetProps) {
  return (
    <SelectField
      form={form}
      name={targetName(column.index)}
      label={labelOf(column)}
      hideLabel
      options={[
        { value: '', label: 'Leave out' },
        ...[...targets].map(([value, label]) => ({ value, label })),
      ]}
    />
  );
}

const labelOf = ({ name }: FileColumn) => `Field of ${name}`;

function columnLabels(columns: readonly FileColumn[]): Record<string, string> {
  return Object.fromEntries(columns.map((column, index) => [targetName(index), labelOf(column)]));
}

/** The name of the select for a column. */
export const targetName = (index: number) => `column${index}`;

interface ProblemsProps extends Pick<ImportPageProps, 'targets'> {
  problems: readonly FieldProblem[];
}

function Problems({ problems, targets }: ProblemsProps) {
  const named = problems.map(({ field, message }) =>
    field ? `${targets.get(field) ?? capitalized(field)} ${message}` : message,
  );
  return <>{named.join('; ')}</>;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function summary(lead: Record<string, unknown>): string {
  return Object.values(lead).flatMap(textsOf).join(' · ');
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'object') return value ? Object.values(value).flatMap(textsOf) : [];
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
