import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Tabs } from '../../../platform/pages/components/navigation';
import { SelectField } from '../../../platform/pages/components/select-field';
import { FormInput } from '../../../platform/pages/form-input';
import type { Area } from '../../shell';
import type { MonthFilter } from '../application/month-queries';
import { EVENT_TYPES } from '../domain/calendar-event';
import type { SpaceView } from '../domain/space';
import { calendarPath } from './calendar-paths';
import { isFiltered, withFilter } from './calendar-view';
import { shortened, TYPE_NAMES } from './entry-texts';

/** Switches between the views of the calendar. */
export function CalendarTabs({ area, current, month }: { area: Area; current: Path; month: string }) {
  return (
    <Tabs
      label="View"
      items={[
        { to: `${calendarPath(area)}?month=${month}`, label: 'Month' },
        { to: `${calendarPath(area, 'availability')}?month=${month}`, label: 'Availability' },
      ]}
      current={current}
    />
  );
}

interface FiltersProps {
  area: Area;
  month: string;
  filter: MonthFilter;
  spaces: readonly SpaceView[];
}

export function CalendarFilters({ area, month, filter, spaces }: FiltersProps) {
  const form = new FormInput({ space: filter.spaceId, type: filter.type });
  return (
    <Form action={calendarPath(area)} method="get" layout="filters" label="Filter the calendar">
      <input type="hidden" name="month" value={month} />
      <SelectField
        form={form}
        name="space"
        label="Space"
        autoSubmit
        options={[
          { value: '', label: 'All spaces' },
          ...spaces.map(({ id, name }) => ({ value: id, label: shortened(name) })),
        ]}
      />
      <SelectField
        form={form}
        name="type"
        label="Type"
        autoSubmit
        options={[
          { value: '', label: 'All types' },
          ...EVENT_TYPES.map((type) => ({ value: type, label: `${TYPE_NAMES[type]}s` })),
        ]}
      />
      <Button kind="secondary">Show</Button>
      {isFiltered(filter) && <Link to={withFilter(calendarPath(area), {}, { month })}>Show all</Link>}
    </Form>
  );
}
