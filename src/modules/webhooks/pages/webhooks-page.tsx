import { ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { actorName, type RecordedActor } from '../../audit-log';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import { EndpointState, EndpointTrouble } from './webhook-state';

const NOTICES = new Map([['deleted', 'The endpoint was deleted. Nothing more is sent to it.']]);

/** The actors that created endpoints, by the ids of the endpoints. */
export type Creators = ReadonlyMap<string, RecordedActor>;

interface WebhooksPageProps {
  area: Area;
  endpoints: readonly EndpointDetails[];
  creators: Creators;
  nextCursor: string | null;
  notice: string;
}

export function WebhooksPage({ area, endpoints, creators, nextCursor, notice }: WebhooksPageProps) {
  const path = settingsPath(area, `${area.mode}/webhooks`);
  const { timeZone } = area.workspace;
  const create = <ButtonLink to={`${path}/new`}>Add a {area.mode} endpoint</ButtonLink>;
  return (
    <SettingsPage
      area={area}
      place=":mode/webhooks"
      title="Webhooks"
      intro="Send events to your own systems as they happen."
      actions={endpoints.length > 0 && create}
      done={NOTICES.get(notice)}
    >
      {endpoints.length === 0 ? (
        <EmptyState title={`No ${area.mode} webhook endpoints yet`} action={create}>
          Add the URL of your endpoint and choose the events to send, such as new leads. Gala signs every
          event and retries failed deliveries for three days.{' '}
          {area.mode === 'live' && 'To try it out first, add the endpoint in test mode.'}
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
            { title: 'Events', cell: ({ events }) => events.join(', ') },
            {
              title: 'Status',
              cell: (endpoint) => (
                <>
                  <EndpointState endpoint={endpoint} /> {endpoint.failingSince && 'Since '}
                  <EndpointTrouble endpoint={endpoint} zone={timeZone} />
                </>
              ),
            },
            { title: 'Created by', cell: (endpoint) => creatorOf(endpoint, creators) },
            { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} zone={timeZone} /> },
          ]}
        />
      )}
      <Pagination older={nextCursor ? `${path}?cursor=${nextCursor}` : undefined} />
    </SettingsPage>
  );
}

export function creatorOf({ id }: EndpointDetails, creators: Creators): string {
  const creator = creators.get(id);
  return creator ? actorName(creator) : 'Unknown';
}

export function endpointPath(area: Area, { id }: Pick<EndpointDetails, 'id'>, page = ''): Path {
  return settingsPath(area, `${area.mode}/webhooks/${id}${page && `/${page}`}`);
}
