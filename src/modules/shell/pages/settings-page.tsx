import type { ComponentChildren } from 'preact';
import { type NavGroup, NavList } from '../../../platform/pages/components/navigation';
import { Notice } from '../../../platform/pages/components/notice';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { LocaleProvider } from '../../../platform/pages/locale';
import { type Area, settingsPath } from './area';
import { PageHeader } from './page-header';
import type { AddedPage } from './settings-navigation';

/** Groups without pages are not shown. Groups of other modules follow. */
const GROUPS = [undefined, 'Sales', 'Integrations', 'Workspace'];

export interface SettingsPageProps {
  area: Area;
  /** The `path` of the page's entry in the navigation. */
  place: string;
  title: string;
  intro?: ComponentChildren;
  actions?: ComponentChildren;
  /** Confirms what the visitor just did. */
  done?: string;
  children: ComponentChildren;
}

/** The frame of every page in the settings area: header, navigation, content. */
export function SettingsPage({ area, place, done, children, ...page }: SettingsPageProps) {
  return (
    <LocaleProvider value={area.workspace.locale}>
      <PageDocument
        {...page}
        mode={area.mode}
        header={<PageHeader area={area} place={place} />}
        nav={<NavList label="Settings" groups={navigation(area)} current={linkTo(area, { path: place })} />}
      >
        {done && <Notice kind="success">{done}</Notice>}
        {children}
      </PageDocument>
    </LocaleProvider>
  );
}

function navigation(area: Area): NavGroup[] {
  const titles = new Set([...GROUPS, ...area.pages.map(({ group }) => group)]);
  return [...titles]
    .map((title) => ({ title, pages: area.pages.filter(({ group }) => group === title) }))
    .filter(({ pages }) => pages.length > 0)
    .map(({ title, pages }) => ({
      title,
      items: pages.map((page) => ({ to: linkTo(area, page), label: page.label })),
    }));
}

function linkTo(area: Area, { path }: Pick<AddedPage, 'path'>) {
  return settingsPath(area, path.replace(':mode', area.browsedMode));
}
