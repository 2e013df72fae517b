import { Badge } from '../../../platform/pages/components/badge';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Pagination } from '../../../platform/pages/components/navigation';
import { EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { DescribedAuditRecord } from '../application/audit-log-queries';
import { type Area, SettingsPage, settingsPath } from '../../shell';

interface AuditLogPageProps {
  area: Area;
  records: readonly DescribedAuditRecord[];
  nextCursor: string | null;
}

export function AuditLogPage({ area, records, nextCursor }: AuditLogPageProps) {
  const path = settingsPath(area, 'audit-log');
  return (
    <SettingsPage
      area={area}
      place="audit-log"
      title="Audit log"
      intro="Who did what to keys, members and settings, the latest first. Nobody can change or delete it."
    >
      {records.length === 0 ? (
        <EmptyState title="Nothing here yet">What people and keys do from now on is kept here.</EmptyState>
      ) : (
        <DataTable
          caption="What was done"
          hideCaption
          rows={records}
          columns={[
            { title: 'What', isHeader: true, cell: (record) => <What record={record} /> },
            { title: 'Who', cell: ({ actor }) => WHO[actor.type](actor.name) },
            {
              title: 'When',
              cell: ({ occurredAt }) => <Time at={occurredAt} zone={area.workspace.timeZone} />,
            },
            { title: 'From where', cell: ({ actor }) => actor.address ?? 'The server' },
          ]}
        />
      )}
      <Pagination older={nextCursor ? `${path}?cursor=${nextCursor}` : undefined} />
    </SettingsPage>
  );
}

function What({ record }: { record: DescribedAuditRecord }) {
  return (
    <>
      {record.summary} {record.mode === 'test' && <Badge kind="warning">Test</Badge>}
    </>
  );
}

const WHO: Record<DescribedAuditRecord['actor']['type'], (name: string) => string> = {
  user: (name) => name,
  api_key: (name) => `The API key ${name}`,
  oauth: (name) => `The app ${name}`,
  operator: () => 'Whoever runs this Gala',
};
