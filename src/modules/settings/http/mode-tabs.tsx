import { Tabs } from '../../../platform/pages/components/navigation';
import { type Area, settingsPath } from './area';

/** The switch between real data and the sandbox. */
export function ModeTabs({ area, page }: { area: Area; page: string }) {
  const items = [
    { to: settingsPath(area, `live/${page}`), label: 'Live' },
    { to: settingsPath(area, `test/${page}`), label: 'Test' },
  ];
  return <Tabs label="Mode" items={items} current={settingsPath(area, `${area.mode}/${page}`)} />;
}
