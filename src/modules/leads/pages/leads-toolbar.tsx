import type { UserId } from '../../../kernel/ids';
import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Tabs } from '../../../platform/pages/components/navigation';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import { FormInput } from '../../../platform/pages/form-input';
import type { Area } from '../../shell';
import type { StageKey } from '../domain/stage';
import type { StageView } from '../domain/pipeline-stage';
import { leadsPath } from './lead-paths';
import { GUEST_RANGES, type LeadsView, NO_FILTERS } from './leads-view';

/** Of a workspace with more members, the first ones can be chosen. */
const MOST_OWNERS = 100;

export interface Owner {
  readonly userId: UserId;
  readonly email: string;
}

interface LeadsToolbarProps {
  area: Area;
  view: LeadsView;
  /** Those that aren't archived, in their order. */
  stages: readonly StageView[];
  counts: ReadonlyMap<StageKey, number>;
  owners: readonly Owner[];
}

/** Chooses what the list or the board shows. */
export function LeadsToolbar({ area, view, stages, counts, owners }: LeadsToolbarProps) {
  const base = leadsPath(area);
  const list = view.path(base, { view: '', archived: '' });
  const board = view.path(base, { view: 'board', stage: '', sort: '', archived: '' });
  const archived = view.path(base, { view: '', stage: '', archived: 'true' });
  return (
    <>
      <Tabs
        label="Leads"
        items={[
          { to: list, label: 'List' },
          { to: board, label: 'Board' },
          { to: archived, label: 'Archived' },
        ]}
        current={view.isArchived ? archived : view.isBoard ? board : list}
      />
      <Filters area={area} view={view} owners={owners} />
      {!view.isBoard && <StageChips area={area} view={view} stages={stages} counts={counts} />}
    </>
  );
}

function Filters({ area, view, owners }: Pick<LeadsToolbarProps, 'area' | 'view' | 'owners'>) {
  const base = leadsPath(area);
  const names = ['q', 'owner', 'source', 'tag', 'month', 'guests'] as const;
  const form = new FormInput(Object.fromEntries(names.map((name) => [name, view.get(name)])));
  const kept = (['view', 'stage', 'sort', 'archived'] as const).filter((name) => view.get(name) !== '');
  return (
    <Form action={base} method="get" layout="filters" label="Filter leads">
      {kept.map((name) => (
        <input type="hidden" name={name} value={view.get(name)} />
      ))}
      <TextField form={form} name="q" label="Search" type="search" />
      <SelectField
        form={form}
        name="owner"
        label="Owner"
        options={[
          { value: '', label: 'Anyone' },
          { value: 'me', label: 'Me' },
          { value: 'none', label: 'Nobody' },
          ...owners.slice(0, MOST_OWNERS).map(({ userId, email }) => ({ value: userId, label: email })),
        ]}
      />
      <TextField form={form} name="source" label="Source" />
      <TextField form={form} name="tag" label="Tag" />
      <TextField form={form} name="month" label="Event month (2027-06)" type="month" />
      <SelectField
        form={form}
        name="guests"
        label="Guests"
        options={[
          { value: '', label: 'Any number' },
          ...Object.entries(GUEST_RANGES).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      <Button kind="secondary">Filter</Button>
      {view.isNarrowed && (
        <Link to={view.path(base, NO_FILTERS)} class="button secondary">
          Clear
        </Link>
      )}
    </Form>
  );
}

function StageChips({ area, view, stages, counts }: Omit<LeadsToolbarProps, 'owners'>) {
  const base = leadsPath(area);
  const chips = [
    { key: '', name: 'All', leads: undefined },
    ...stages
      .filter(({ key, isHidden }) => !isHidden || (counts.get(key) ?? 0) > 0)
      .map(({ key, name }) => ({ key, name, leads: counts.get(key) ?? 0 })),
  ];
  return (
    <nav aria-label="Stage" class="chips">
      <ul>
        {chips.map(({ key, name, leads }) => (
          <li>
            <Link to={view.path(base, { stage: key })} current={view.get('stage') === key}>
              {name}
              {leads !== undefined && !view.isNarrowed && <span class="count"> {leads}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
