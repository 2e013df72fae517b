import { Badge } from '../../../platform/pages/components/badge';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Actions, EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { InstalledApp } from '../application/installation-repository';
import { type Area, ModeTabs, SettingsPage, settingsPath } from '../../shell';

const NOTICES = new Map([['removed', 'The app is removed. It can’t get at this workspace’s data any more.']]);

interface AppsPageProps {
  area: Area;
  apps: readonly InstalledApp[];
  /** What each scope allows. */
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
      intro="Programs of other companies that someone has let into this workspace."
      done={NOTICES.get(notice)}
    >
      <ModeTabs area={area} page="apps" />
      {apps.length === 0 ? (
        <EmptyState title="No app is installed">
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
              title: 'May',
              cell: ({ scopes }) => scopes.map((scope) => words.get(scope) ?? scope).join('; '),
            },
            { title: 'Let in by', cell: ({ installer }) => installer },
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
        It loses access to this workspace’s {area.mode} data at once. What it has copied before stays with its
        maker. To let it in again, connect it from its own website.
      </p>
      <Form action={`${appPath(area, app)}/remove`}>
        <Actions>
          <Button kind="danger">Remove</Button>
          <ButtonLink to={settingsPath(area, `${area.mode}/apps`)} kind="secondary">
            Keep it
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

function appPath(area: Area, { id }: InstalledApp) {
  return settingsPath(area, `${area.mode}/apps/${id}`);
}
