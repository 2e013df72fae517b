import { Tabs } from '../../../platform/pages/components/navigation';
import { type Area, settingsPath } from './area';

/** Switches between live and test data. `page` is the address of the page below `live/` and `test/`. */
export function ModeTabs({ area, page }: { area: Area; page: string }) {
  const items = [
    { to: settingsPath(area, `live/${page}`), label: 'Live' },
    { to: settingsPath(area, `test/${page}`), label: 'Test' },
  ];
  return <Tabs label="Mode" items={items} current={settingsPath(area, `${area.mode}/${page}`)} />;
}
