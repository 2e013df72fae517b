import { parseInstant } from '../../../kernel/time';
import { Badge } from '../../../platform/pages/components/badge';
import { Button } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { EmptyState } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { AuditFilter, DescribedAuditRecord } from '../application/audit-log-queries';
import { actorName } from './actor-name';

interface AuditLogPageProps {
  area: Area;
  /** That the log can be filtered by. */
  kinds: readonly string[];
  filter: AuditFilter;
  records: readonly DescribedAuditRecord[];
  nextCursor: string | null;
}

export function AuditLogPage(props: AuditLogPageProps) {
  const { area, filter, records, nextCursor } = props;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <SettingsPage
      area={area}
      place="audit-log"
      title="Audit log"
      intro="Changes to keys, members and settings, newest first. Entries can’t be changed or deleted."
    >
      <Filters {...props} isFiltered={isFiltered} />
      {records.length === 0 ? (
        <EmptyState title={isFiltered ? 'No matching entries' : 'No entries yet'}>
          {isFiltered
            ? 'Names are those that people and keys had at the time.'
            : 'Changes by members and API keys appear here.'}
        </EmptyState>
      ) : (
        <DataTable
          caption="Audit log"
          hideCaption
          rows={records}
          columns={[
            {
              title: 'Action',
              isHeader: true,
              cell: (record) => <Action record={record} zone={area.workspace.timeZone} />,
            },
            {
              title: 'Actor',
              cell: ({ actor }) => (
                <Link to={auditLogPath(area, { ...filter, by: actor.name })}>{actorName(actor)}</Link>
              ),
            },
            {
              title: 'When',
              cell: ({ occurredAt }) => <Time at={occurredAt} zone={area.workspace.timeZone} />,
            },
            { title: 'IP address', cell: ({ actor }) => actor.address ?? 'Server' },
          ]}
        />
      )}
      <Pagination older={nextCursor ? auditLogPath(area, { ...filter, cursor: nextCursor }) : undefined} />
    </SettingsPage>
  );
}

function Filters({
  area,
  kinds,
  filter,
  isFiltered,
}: Pick<AuditLogPageProps, 'area' | 'kinds' | 'filter'> & { isFiltered: boolean }) {
  const form = new FormInput({ ...filter });
  const options = kinds.map((kind) => ({ value: kind, label: nameOf(kind) }));
  return (
    <Form action={auditLogPath(area)} method="get" layout="filters" label="Filter">
      <TextField form={form} name="by" label="Email or key name" type="search" />
      <SelectField
        form={form}
        name="kind"
        label="About"
        options={[
          { value: '', label: 'Everything' },
          ...options.sort((one, other) => (one.label < other.label ? -1 : 1)),
        ]}
      />
      <Button kind="secondary">Show</Button>
      {isFiltered && (
        <Link to={auditLogPath(area)} class="button secondary">
          Clear
        </Link>
      )}
    </Form>
  );
}

function Action({ record, zone }: { record: DescribedAuditRecord; zone: string }) {
  return (
    <>
      {record.summary} {record.mode === 'test' && <Badge kind="warning">Test</Badge>}
      {record.changes.length > 0 && (
        <ul class="changes">
          {record.changes.map(({ field, from, to }) => (
            <li>
              {field}:{' '}
              {from !== undefined && (
                <>
                  <Value text={from} zone={zone} /> <span aria-label="to">→</span>{' '}
                </>
              )}
              <Value text={to} zone={zone} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Instants are recorded as the API writes them. */
function Value({ text, zone }: { text: string; zone: string }) {
  const instant = parseInstant(text);
  return instant?.toISOString() === text ? <Time at={instant} zone={zone} /> : <bdi>{text}</bdi>;
}

/** `api_key` is “API key”. */
function nameOf(kind: string): string {
  const words = kind.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function auditLogPath(area: Area, asked: AuditFilter & { cursor?: string } = {}): Path {
  const query = new URLSearchParams({ ...asked }).toString();
  const path = settingsPath(area, 'audit-log');
  return query ? `${path}?${query}` : path;
}
