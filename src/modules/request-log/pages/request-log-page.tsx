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
import { type LoggedRequest, METHODS, type Outcome } from '../domain/logged-request';
import { type AskedRequests, requestLogPath } from './asked-requests';

const STATUSES: readonly { value: Outcome | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
  { value: '4xx', label: '4xx: refused' },
  { value: '5xx', label: '5xx: server errors' },
];

interface RequestLogPageProps {
  area: Area;
  asked: AskedRequests;
  requests: readonly LoggedRequest[];
  nextCursor: string | null;
  /** The search ended there, and older requests may match. */
  searchedUntil: Date | null;
}

export function RequestLogPage({ area, asked, requests, nextCursor, searchedUntil }: RequestLogPageProps) {
  const isFiltered = Object.values(asked).some((value) => value !== '');
  return (
    <SettingsPage
      area={area}
      place=":mode/request-log"
      title="Request log"
      intro="API requests from the last 30 days. Bodies are not stored."
    >
      <Filters area={area} asked={asked} isFiltered={isFiltered} />
      {requests.length === 0 ? (
        <EmptyState title={isFiltered ? 'No matching requests' : `No ${area.mode} requests yet`}>
          {isFiltered
            ? 'Try the other mode, too. Requests appear here within two seconds.'
            : 'Requests by API keys and apps appear here within two seconds.'}
        </EmptyState>
      ) : (
        <Requests area={area} requests={requests} />
      )}
      {searchedUntil && (
        <p>
          Searched back to <Time at={searchedUntil} zone={area.workspace.timeZone} seconds />.{' '}
          <Link to={requestLogPath(area, { ...asked, before: searchedUntil.toISOString() })}>
            Search older requests
          </Link>
        </p>
      )}
      <Pagination older={nextCursor ? requestLogPath(area, { ...asked, cursor: nextCursor }) : undefined} />
    </SettingsPage>
  );
}

function Filters({
  area,
  asked,
  isFiltered,
}: Pick<RequestLogPageProps, 'area' | 'asked'> & { isFiltered: boolean }) {
  const form = new FormInput({ ...asked });
  const methods = [{ value: '', label: 'Any' }, ...METHODS.map((value) => ({ value, label: value }))];
  const path = requestLogPath(area, {});
  return (
    <Form action={path} method="get" layout="filters" label="Filter">
      <SelectField form={form} name="outcome" label="Status" options={STATUSES} />
      <SelectField form={form} name="method" label="Method" options={methods} />
      <TextField form={form} name="path" label="Path begins with" type="search" />
      <TextField form={form} name="caller" label="Key or app" type="search" />
      <TextField form={form} name="day" label="Day" type="date" />
      <TextField form={form} name="requestId" label="Request ID" type="search" />
      <Button kind="secondary">Show</Button>
      {isFiltered && (
        <Link to={path} class="button secondary">
          Clear
        </Link>
      )}
    </Form>
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
              {method} <RequestPath area={area} path={path} />
              <br />
              <Link to={requestLogPath(area, { requestId })}>
                <code>{requestId}</code>
              </Link>
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

/** Leads to the lead that it names. */
function RequestPath({ area, path }: { area: Area; path: string }) {
  const [, before, lead, after] = /^(\/v1\/leads\/)(lead_[0-9a-z]+)(.*)$/.exec(path) ?? [];
  if (!lead) return <>{path}</>;
  return (
    <>
      {before}
      <Link to={settingsPath(area, `${area.mode}/leads/${lead}`)}>{lead}</Link>
      {after}
    </>
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
