import type { ComponentChildren } from 'preact';
import { Link, type Path } from '../../../platform/pages/components/link';
import { NavList } from '../../../platform/pages/components/navigation';
import { Notice } from '../../../platform/pages/components/notice';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { LocaleProvider } from '../../../platform/pages/locale';
import { AccountHeader } from '../../accounts';
import { type Area, isAdmin, settingsPath } from './area';

type SettingsPlace =
  | 'overview'
  | 'pipeline'
  | 'proposals'
  | 'calendar'
  | 'api-keys'
  | 'webhooks'
  | 'request-log'
  | 'apps'
  | 'channels'
  | 'workspace'
  | 'members'
  | 'audit-log';

export interface SettingsPageProps {
  area: Area;
  /** Of a page that another module added: its path. */
  place: SettingsPlace | (string & {});
  title: string;
  intro?: ComponentChildren;
  actions?: ComponentChildren;
  /** What was just done. */
  done?: string;
  children: ComponentChildren;
}

/** A page of the settings area: its header, its way around, and the page itself. */
export function SettingsPage({ area, place, done, children, ...page }: SettingsPageProps) {
  const pages = navigation(area);
  return (
    <LocaleProvider value={area.workspace.locale}>
      <PageDocument
        {...page}
        mode={area.mode}
        header={
          <>
            <Link to="/settings">{area.workspace.name}</Link>
            <AccountHeader email={area.email} />
          </>
        }
        nav={
          <NavList
            label="Settings"
            groups={pages}
            current={pages.flatMap(({ items }) => items).find((item) => item.place === place)?.to}
          />
        }
      >
        {done && <Notice kind="success">{done}</Notice>}
        {children}
      </PageDocument>
    </LocaleProvider>
  );
}

interface Group {
  title?: string;
  items: { place: string; label: string; to: Path }[];
}

function navigation(area: Area): Group[] {
  const item = (place: SettingsPageProps['place'], label: string, page = '') => ({
    place,
    label,
    to: settingsPath(area, page),
  });
  const groups: Group[] = [
    { items: [item('overview', 'Overview')] },
    {
      title: 'Sales',
      items: [
        item('pipeline', 'Pipeline', `${area.mode}/pipeline`),
        item('proposals', 'Proposals', `${area.mode}/proposals`),
        item('calendar', 'Calendar', `${area.mode}/calendar`),
      ],
    },
    ...(isAdmin(area)
      ? [
          {
            title: 'Integrations',
            items: [
              item('api-keys', 'API keys', `${area.mode}/api-keys`),
              item('webhooks', 'Webhooks', `${area.mode}/webhooks`),
              item('request-log', 'Request log', `${area.mode}/request-log`),
              item('apps', 'Installed apps', `${area.mode}/apps`),
              item('channels', 'Channels', `${area.mode}/channels`),
            ],
          },
        ]
      : []),
    {
      title: 'Workspace',
      items: [
        item('workspace', 'General', 'workspace'),
        item('members', 'Members', 'members'),
        ...(isAdmin(area) ? [item('audit-log', 'Audit log', 'audit-log')] : []),
      ],
    },
  ];
  for (const { group: title, label, path } of area.addedPages) {
    const added = item(path, label, path.replace(':mode', area.mode));
    const group = groups.find((one) => one.title === title);
    if (group) group.items.push(added);
    else groups.push({ title, items: [added] });
  }
  return groups;
}
