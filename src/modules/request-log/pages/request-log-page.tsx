import { STATUS } from '../../../platform/http/error.filter';
import { Badge } from '../../../platform/pages/components/badge';
import { Button } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { EmptyState } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { LoggedRequest, Outcome, RequestFilter } from '../domain/logged-request';

export const OUTCOMES: readonly { value: Outcome | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
];

interface RequestLogPageProps {
  area: Area;
  requests: readonly LoggedRequest[];
  filter: RequestFilter;
  nextCursor: string | null;
}

export function RequestLogPage({ area, requests, filter, nextCursor }: RequestLogPageProps) {
  const path = settingsPath(area, `${area.mode}/request-log`);
  const form = new FormInput({ ...filter });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <SettingsPage
      area={area}
      place=":mode/request-log"
      title="Request log"
      intro="API requests from the last 30 days. Bodies are not stored."
    >
      <Form action={path} method="get" layout="inline" label="Filter">
        <SelectField form={form} name="outcome" label="Outcome" options={OUTCOMES} />
        <TextField form={form} name="requestId" label="Request ID" type="search" />
        <Button kind="secondary">Show</Button>
      </Form>
      {requests.length === 0 ? (
        <EmptyState title={isFiltered ? 'No matching requests' : `No ${area.mode} requests yet`}>
          {isFiltered
            ? 'Try the other mode, too. Requests appear here within two seconds.'
            : 'Requests by API keys and apps appear here within two seconds.'}
        </EmptyState>
      ) : (
        <Requests area={area} requests={requests} />
      )}
      <Pagination
        older={
          nextCursor
            ? `${path}?${new URLSearchParams({ ...filter, cursor: nextCursor }).toString()}`
            : undefined
        }
      />
    </SettingsPage>
  );
}

function Requests({ area, requests }: Pick<RequestLogPageProps, 'area' | 'requests'>) {
  return (
    <DataTable
      caption="Requests"
      hideCaption
      rows={requests}
      columns={[
        {
          title: 'Request',
          isHeader: true,
          cell: ({ method, path, requestId }) => (
            <>
              {method} {path}
              <br />
              <code>{requestId}</code>
            </>
          ),
        },
        { title: 'Status', cell: ({ status }) => <Status status={status} /> },
        { title: 'Duration', numeric: true, cell: ({ milliseconds }) => `${milliseconds} ms` },
        { title: 'Caller', cell: ({ credential }) => <Caller area={area} credential={credential} /> },
        {
          title: 'When',
          cell: ({ occurredAt }) => <Time at={occurredAt} zone={area.workspace.timeZone} seconds />,
        },
      ]}
    />
  );
}

function Status({ status }: Pick<LoggedRequest, 'status'>) {
  if (status === null) return <Badge kind="warning">Client disconnected</Badge>;
  if (status < 400) return <Badge kind="success">{String(status)}</Badge>;
  const code = Object.entries(STATUS).find(([, one]) => one === status)?.[0];
  return (
    <>
      <Badge kind={status < 500 ? 'warning' : 'danger'}>{String(status)}</Badge> {code && <code>{code}</code>}
    </>
  );
}

function Caller({ area, credential }: Pick<LoggedRequest, 'credential'> & { area: Area }) {
  if (credential.type === 'oauth') return <>App {credential.name}</>;
  return <Link to={settingsPath(area, `${area.mode}/api-keys/${credential.id}`)}>{credential.name}</Link>;
}
