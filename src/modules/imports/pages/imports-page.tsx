import { Badge } from '../../../platform/pages/components/badge';
import { Button } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Field } from '../../../platform/pages/components/field';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { EmptyState, Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import type { ImportStatus, ImportView } from '../domain/import-view';
import { OPTION_LABELS, ReadingFields, WritingFields } from './import-form';
import { importPath, importsPath } from './import-paths';

const STATUSES: Record<ImportStatus, string> = {
  awaiting_file: 'Awaiting file',
  checking: 'Checking',
  ready: 'Ready',
  importing: 'Importing',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
const KINDS: Partial<Record<ImportStatus, 'info' | 'success' | 'danger' | 'warning'>> = {
  ready: 'warning',
  importing: 'info',
  completed: 'success',
  failed: 'danger',
};

interface ImportsPageProps {
  area: Area;
  form: FormInput;
  /** The newest first. */
  imports: readonly ImportView[];
  nextCursor: string | null;
}

export function ImportsPage({ area, form, imports, nextCursor }: ImportsPageProps) {
  const path = importsPath(area);
  return (
    <SettingsPage
      area={area}
      place=":mode/imports"
      title="Import"
      intro="Leads from a CSV file of up to 128 MiB and 1,000,000 rows, such as Excel saves it."
    >
      <Section title="New import" intro="You see what will happen before anything is imported.">
        <Form action={path} withFile>
          <ProblemSummary form={form} labels={OPTION_LABELS} />
          <WritingFields form={form} />
          <ReadingFields form={form} />
          <Field form={form} name="file" label={OPTION_LABELS.file!} isOptional={false}>
            {(control) => (
              <input {...control} type="file" class="control" accept=".csv,.txt,text/csv" required />
            )}
          </Field>
          <Button>Upload and check</Button>
        </Form>
      </Section>
      {imports.length === 0 ? (
        <EmptyState title="No imports yet" />
      ) : (
        <DataTable
          caption="Imports"
          rows={imports}
          columns={[
            {
              title: 'Created',
              isHeader: true,
              cell: ({ id, createdAt }) => (
                <Link to={importPath(area, id)}>
                  <Time at={createdAt} zone={area.workspace.timeZone} />
                </Link>
              ),
            },
            { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
            { title: 'Rows', numeric: true, cell: ({ rows }) => rows ?? '' },
            { title: 'Created or updated', numeric: true, cell: ({ created, updated }) => created + updated },
            { title: 'Failed', numeric: true, cell: ({ failed }) => failed },
          ]}
        />
      )}
      <Pagination older={nextCursor ? `${path}?cursor=${nextCursor}` : undefined} />
    </SettingsPage>
  );
}

export function StatusBadge({ status }: { status: ImportStatus }) {
  return <Badge kind={KINDS[status] ?? 'neutral'}>{STATUSES[status]}</Badge>;
}
