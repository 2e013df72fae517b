import { ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Link } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { ScopeList } from '../../../platform/pages/components/scope-list';
import { EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { ApiKeyInFamily } from '../application/workspace-api-keys';
import { KeyState, KeyText } from './api-key-state';
import { makerOf, type Makers } from './key-makers';

const NOTICES = new Map([['revoked', 'The key was revoked. Requests with it are now refused.']]);

interface ApiKeysPageProps {
  area: Area;
  keys: readonly ApiKeyInFamily[];
  makers: Makers;
  /** What each scope allows, by scope. */
  words: ReadonlyMap<string, string>;
  now: Date;
  nextCursor: string | null;
  notice: string;
}

export function ApiKeysPage({ area, keys, makers, words, now, nextCursor, notice }: ApiKeysPageProps) {
  const path = settingsPath(area, `${area.mode}/api-keys`);
  const { timeZone } = area.workspace;
  const create = <ButtonLink to={`${path}/new`}>Create a {area.mode} key</ButtonLink>;
  return (
    <SettingsPage
      area={area}
      place=":mode/api-keys"
      title="API keys"
      intro="API keys let your website, scripts and other software use this workspace’s data."
      actions={keys.length > 0 && create}
      done={NOTICES.get(notice)}
    >
      {keys.length === 0 ? (
        <EmptyState title={`No ${area.mode} keys yet`} action={create}>
          {area.mode === 'test'
            ? 'Test keys work with sandbox data only, so you can try the API safely.'
            : 'Live keys work with real data. Try the API with a test key first.'}
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
            { title: 'Permissions', cell: ({ scopes }) => <ScopeList scopes={scopes} words={words} /> },
            { title: 'Created by', cell: (key) => makerOf(key, makers) },
            { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} zone={timeZone} /> },
            { title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} zone={timeZone} /> },
            { title: 'Status', cell: (key) => <KeyState apiKey={key} now={now} /> },
          ]}
        />
      )}
      <Pagination older={nextCursor ? `${path}?cursor=${nextCursor}` : undefined} />
    </SettingsPage>
  );
}
