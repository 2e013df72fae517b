import { ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import { type Area, ModeTabs, SettingsPage, settingsPath } from '../../shell';
import { EndpointState, EndpointTrouble } from './webhook-state';

const NOTICES = new Map([['deleted', 'The endpoint is deleted. Nothing more is sent to it.']]);

/** The names of the apps that made endpoints, by their installation. */
export type AppNames = ReadonlyMap<string, string>;

interface WebhooksPageProps {
  area: Area;
  endpoints: readonly EndpointDetails[];
  apps: AppNames;
  nextCursor: string | null;
  notice: string;
}

export function WebhooksPage({ area, endpoints, apps, nextCursor, notice }: WebhooksPageProps) {
  const path = settingsPath(area, `${area.mode}/webhooks`);
  const { timeZone } = area.workspace;
  const create = <ButtonLink to={`${path}/new`}>Add a {area.mode} endpoint</ButtonLink>;
  return (
    <SettingsPage
      area={area}
      place=":mode/webhooks"
      title="Webhooks"
      intro="Gala tells other programs at once what happens here, by calling an address of theirs."
      actions={endpoints.length > 0 && create}
      done={NOTICES.get(notice)}
    >
      <ModeTabs area={area} page="webhooks" />
      {endpoints.length === 0 ? (
        <EmptyState title={`Nothing is told of ${area.mode} data yet`} action={create}>
          Whoever looks after the other program gives you its address, an endpoint. Add it here, and choose
          what it shall hear of, such as new leads. Gala then sends it each event, signed, and tries again for
          three days if it doesn’t answer.{' '}
          {area.mode === 'live' && 'To try it out first, add it in test mode: there nothing is real.'}
        </EmptyState>
      ) : (
        <DataTable
          caption={`${area.mode === 'test' ? 'Test' : 'Live'} endpoints`}
          hideCaption
          rows={endpoints}
          columns={[
            {
              title: 'Endpoint',
              isHeader: true,
              cell: (endpoint) => (
                <>
                  <Link to={endpointPath(area, endpoint)}>{endpoint.url}</Link>
                  {endpoint.description && (
                    <>
                      <br />
                      <span class="quiet">{endpoint.description}</span>
                    </>
                  )}
                </>
              ),
            },
            { title: 'Hears of', cell: ({ events }) => events.join(', ') },
            {
              title: 'State',
              cell: (endpoint) => (
                <>
                  <EndpointState endpoint={endpoint} />{' '}
                  <EndpointTrouble endpoint={endpoint} zone={timeZone} />
                </>
              ),
            },
            { title: 'Added by', cell: (endpoint) => adderOf(endpoint, apps) },
            { title: 'Added', cell: ({ createdAt }) => <Time at={createdAt} zone={timeZone} /> },
          ]}
        />
      )}
      <Pagination older={nextCursor ? `${path}?cursor=${nextCursor}` : undefined} />
    </SettingsPage>
  );
}

export function adderOf({ installationId }: EndpointDetails, apps: AppNames): string {
  return installationId === null
    ? 'A person or a key'
    : `The app ${apps.get(installationId) ?? 'that was removed'}`;
}

export function endpointPath(area: Area, { id }: Pick<EndpointDetails, 'id'>, page = ''): Path {
  return settingsPath(area, `${area.mode}/webhooks/${id}${page && `/${page}`}`);
}
