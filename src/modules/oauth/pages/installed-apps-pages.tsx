import { Badge } from '../../../platform/pages/components/badge';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { ScopeList } from '../../../platform/pages/components/scope-list';
import { Actions, EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { InstalledApp } from '../application/installation-repository';

const NOTICES = new Map([['removed', 'The app was removed and no longer has access to this workspace.']]);

interface AppsPageProps {
  area: Area;
  apps: readonly InstalledApp[];
  /** What each scope allows, by scope. */
  words: ReadonlyMap<string, string>;
  notice: string;
}

export function AppsPage({ area, apps, words, notice }: AppsPageProps) {
  const { timeZone } = area.workspace;
  return (
    <SettingsPage
      area={area}
      place=":mode/apps"
      title="Installed apps"
      intro="Third-party apps with access to this workspace."
      done={NOTICES.get(notice)}
    >
      {apps.length === 0 ? (
        <EmptyState title="No apps installed">
          Apps are installed from their own websites: look for a button such as “Connect to Gala”.
        </EmptyState>
      ) : (
        <DataTable
          caption="Installed apps"
          hideCaption
          rows={apps}
          columns={[
            {
              title: 'App',
              isHeader: true,
              cell: ({ appName, isConnected }) => (
                <>
                  {appName} {!isConnected && <Badge>Not connected</Badge>}
                </>
              ),
            },
            {
              title: 'Permissions',
              cell: ({ scopes }) => <ScopeList scopes={scopes} words={words} />,
            },
            { title: 'Installed by', cell: ({ installer }) => installer },
            { title: 'Installed', cell: ({ createdAt }) => <Time at={createdAt} zone={timeZone} /> },
            { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} zone={timeZone} /> },
            {
              title: 'Actions',
              actions: true,
              cell: (app) => (
                <ButtonLink to={`${appPath(area, app)}/remove`} kind="secondary" of={app.appName}>
                  Remove
                </ButtonLink>
              ),
            },
          ]}
        />
      )}
    </SettingsPage>
  );
}

export function RemoveAppPage({ area, app }: { area: Area; app: InstalledApp }) {
  return (
    <SettingsPage area={area} place=":mode/apps" title={`Remove ${app.appName}?`}>
      <p>
        The app loses access to this workspace’s {area.mode} data immediately. Its maker keeps any data that
        it already copied. To install it again, connect it from its own website.
      </p>
      <Form action={`${appPath(area, app)}/remove`}>
        <Actions>
          <Button kind="danger">Remove</Button>
          <ButtonLink to={settingsPath(area, `${area.mode}/apps`)} kind="secondary">
            Cancel
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

function appPath(area: Area, { id }: InstalledApp) {
  return settingsPath(area, `${area.mode}/apps/${id}`);
}
