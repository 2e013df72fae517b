import { Badge } from '../../../platform/pages/components/badge';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Pagination } from '../../../platform/pages/components/navigation';
import { EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { DescribedAuditRecord } from '../application/audit-log-queries';
import { actorName } from './actor-name';

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
      intro="Changes to keys, members and settings, newest first. Entries can’t be changed or deleted."
    >
      {records.length === 0 ? (
        <EmptyState title="No entries yet">Changes by members and API keys appear here.</EmptyState>
      ) : (
        <DataTable
          caption="Audit log"
          hideCaption
          rows={records}
          columns={[
            { title: 'Action', isHeader: true, cell: (record) => <Action record={record} /> },
            { title: 'Actor', cell: ({ actor }) => actorName(actor) },
            {
              title: 'When',
              cell: ({ occurredAt }) => <Time at={occurredAt} zone={area.workspace.timeZone} />,
            },
            { title: 'IP address', cell: ({ actor }) => actor.address ?? 'Server' },
          ]}
        />
      )}
      <Pagination older={nextCursor ? `${path}?cursor=${nextCursor}` : undefined} />
    </SettingsPage>
  );
}

function Action({ record }: { record: DescribedAuditRecord }) {
  return (
    <>
      {record.summary} {record.mode === 'test' && <Badge kind="warning">Test</Badge>}
    </>
  );
}
