import { ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Link } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { ApiKeyInFamily } from '../application/workspace-api-keys';
import { KeyState, KeyText } from './api-key-state';
import { type Area, ModeTabs, SettingsPage, settingsPath } from '../../shell';
import { makerOf, type Makers } from './key-makers';

const NOTICES = new Map([['revoked', 'The key is revoked. Every request with it is refused from now on.']]);

interface ApiKeysPageProps {
  area: Area;
  keys: readonly ApiKeyInFamily[];
  makers: Makers;
  now: Date;
  nextCursor: string | null;
  notice: string;
}

export function ApiKeysPage({ area, keys, makers, now, nextCursor, notice }: ApiKeysPageProps) {
  const path = settingsPath(area, `${area.mode}/api-keys`);
  const { timeZone } = area.workspace;
  const create = <ButtonLink to={`${path}/new`}>Create a {area.mode} key</ButtonLink>;
  return (
    <SettingsPage
      area={area}
      place=":mode/api-keys"
      title="API keys"
      intro="With a key, another program reads and changes this workspace’s data: a website form, a report, a script."
      actions={keys.length > 0 && create}
      done={NOTICES.get(notice)}
    >
      <ModeTabs area={area} page="api-keys" />
      {keys.length === 0 ? (
        <EmptyState title={`There is no ${area.mode} key yet`} action={create}>
          {area.mode === 'test'
            ? 'A test key works on sandbox data alone: the safe way to try things out.'
            : 'A live key works on real data. Try things out with a test key first.'}
        </EmptyState>
      ) : (
        <DataTable
          caption={`${area.mode === 'test' ? 'Test' : 'Live'} keys`}
          hideCaption
          rows={keys}
          columns={[
            {
              title: 'Name',
              isHeader: true,
              cell: (key) => (
                <>
                  <Link to={`${path}/${key.id}`}>{key.name}</Link>
                  <br />
                  <KeyText {...key} />
                </>
              ),
            },
            { title: 'May do', cell: ({ scopes }) => scopes.join(', ') || 'None' },
            { title: 'Made by', cell: (key) => makerOf(key, makers) },
            { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} zone={timeZone} /> },
            { title: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} zone={timeZone} /> },
            { title: 'State', cell: (key) => <KeyState apiKey={key} now={now} /> },
          ]}
        />
      )}
      <Pagination older={nextCursor ? `${path}?cursor=${nextCursor}` : undefined} />
    </SettingsPage>
  );
}
